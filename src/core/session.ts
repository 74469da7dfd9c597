/**
 * A sign-in of the host, as it is right now. Loaded anew every time rights matter; nothing here is ever taken from a
 * caller or a browser.
 */
export interface Session {
  readonly ref: string;
  readonly userId: string;
  /** Whether this session has a permission. A throw counts as no. */
  can(permission: string): boolean | Promise<boolean>;
  /** The scopes this session is limited to; absent means all. */
  readonly scopes?: readonly string[] | undefined;
  /** The user id of who acts in this user's name; an impersonated session reads nothing and writes nothing here. */
  readonly impersonatedBy?: string | undefined;
  /** BCP 47; default `en`. */
  readonly locale?: string | undefined;
  /** IANA; default `UTC`. */
  readonly timeZone?: string | undefined;
  readonly displayName?: string | undefined;
}

/** How the host answers for its sign-ins. */
export interface Sessions {
  /**
   * The session a ref names, as it is now, or null when it is signed out, revoked or blocked. A throw, or an answer
   * later than 5 s (`hostCallLimit`), is `session_unavailable`, never a sign-out.
   */
  load(ref: string): Promise<Session | null>;
  /** The ref of the sign-in that sent a request (from its cookie, say), or null. */
  resolve(request: Request): Promise<string | null> | string | null;
}

/** Where a call came from; handed to tools as part of their context and kept in the audit rows (the request id alone). */
export interface RequestContext {
  readonly requestId: string;
  readonly ip?: string | undefined;
  readonly userAgent?: string | undefined;
}
