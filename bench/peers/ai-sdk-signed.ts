import { openAiSdk } from "./ai-sdk.ts";

/** The same with the signature over approvals that its page on security recommends, which is experimental. */
export default openAiSdk({ experimental_toolApprovalSecret: "a secret of the bench, long enough to sign with" });
