import { createContext, useContext } from "react";
import type { Request } from "../../client/request.ts";
import type { AdminWords } from "./words/en.ts";

export interface Admin {
  readonly request: Request;
  readonly baseUrl: string;
  readonly words: AdminWords;
  /** What people call a user, if the host says it. */
  readonly nameOf: (userId: string) => string | undefined;
  /** Says something to those who hear the page. */
  readonly say: (text: string) => void;
}

export const AdminContext = createContext<Admin | null>(null);

export function useAdmin(): Admin {
  const admin = useContext(AdminContext);
  if (admin === null) throw new Error("countersign: this part stands outside of <AssistantAdmin>.");
  return admin;
}
