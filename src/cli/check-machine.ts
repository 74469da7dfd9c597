import { canReadPictures } from "../attachment/look-at-files.ts";
import { finding, ok, type Finding } from "./finding.ts";

/** Whether a Node, as `process.versions.node` spells it, is new enough. */
export function checkNode(version: string): Finding {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major > 22 || (major === 22 && minor >= 18)) return ok("Node", version);
  return finding("wrong", "Node", { found: `${version} is too old`, mend: "Install Node 22.18 or newer." });
}

export async function checkPictures(): Promise<Finding> {
  if (await canReadPictures()) return ok("pictures", "sharp is there for this machine");
  return finding("wrong", "pictures", {
    found: "sharp cannot be loaded: pictures in chats cannot be read",
    mend: "Install on the machine that runs the nodes, or for its system: npm install --os=linux --cpu=x64 --libc=glibc sharp.",
  });
}
