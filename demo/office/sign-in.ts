// Sign-in and impersonation, by better-auth. It decides who a cookie is; what a person may do stands in people.ts.
import { createHmac } from "node:crypto";
import { betterAuth } from "better-auth";
import { getMigrations } from "better-auth/db/migration";
import { admin } from "better-auth/plugins";
import type pg from "pg";
import type { Session, Sessions } from "countersign";
import type { OfficeDatabase } from "./database.ts";
import { people, personByEmail, personByKey, type Person } from "./people.ts";

/** A sign-in as it is now. */
export interface SignIn {
  readonly id: string;
  readonly userId: string;
  readonly person: Person;
  /** Who acts in this person's name. */
  readonly actor: Person | null;
}

export interface SignIns extends Sessions {
  /** The sign-in that sent a request, or null. */
  of(request: Request): Promise<SignIn | null>;
  /** What people call each user, by id. */
  names(): Promise<Readonly<Record<string, string>>>;
  /** These four answer with the cookies to set, or an error's status. */
  signIn(request: Request, who: string): Promise<Response>;
  signOut(request: Request): Promise<Response>;
  actAs(request: Request, who: string): Promise<Response>;
  stopActing(request: Request): Promise<Response>;
}

interface SessionRow {
  readonly id: string;
  readonly userId: string;
  readonly email: string;
  readonly impersonatedBy: string | null;
  readonly actorEmail: string | null;
}

/** Makes the sign-in of a site; its tables and the three people are made once. */
export function createSignIns(database: OfficeDatabase, site: { readonly port: number }): Promise<SignIns> {
  return database.prepare((secret) => prepareSignIns(database.authPool, { ...site, secret }));
}

async function prepareSignIns(
  authPool: pg.Pool,
  site: { readonly port: number; readonly secret: string },
): Promise<SignIns> {
  const { secret } = site;
  const options = {
    baseURL: `http://localhost:${site.port}`,
    trustedOrigins: [`http://localhost:${site.port}`],
    secret,
    database: authPool,
    telemetry: { enabled: false },
    logger: { level: "error" as const },
    emailAndPassword: { enabled: true, disableSignUp: true },
    // A sign-in that was revoked must be gone at once, so no copy of it lives in a cookie.
    session: { cookieCache: { enabled: false } },
    // Cookies know no ports: without a prefix of its own, another site on localhost would overwrite them.
    advanced: { cookiePrefix: "countersign-demo" },
    plugins: [admin({ impersonationSessionDuration: 3_600 })],
  };
  const auth = betterAuth(options);
  const passwordOf = (person: Person): string => createHmac("sha256", secret).update(person.email).digest("hex");

  await (await getMigrations(options)).runMigrations();
  const users = await authPool.query<{ email: string }>('select email from "user"');
  const known = new Set(users.rows.map((user) => user.email));
  const missing = people.filter((person) => !known.has(person.email));
  await Promise.all(
    missing.map((person) =>
      auth.api.createUser({
        body: {
          email: person.email,
          name: person.name,
          password: passwordOf(person),
          role: person.administrator ? "admin" : "user",
        },
      }),
    ),
  );

  const find = async (id: string): Promise<SignIn | null> => {
    const { rows } = await authPool.query<SessionRow>({ name: "sign_in", text: liveSession, values: [id] });
    const row = rows[0];
    const person = row && personByEmail(row.email);
    if (row === undefined || person === undefined) return null;
    const actor = row.actorEmail === null ? null : (personByEmail(row.actorEmail) ?? null);
    return { id: row.id, userId: row.userId, person, actor };
  };
  const resolve = async (request: Request): Promise<string | null> => {
    const query = { disableRefresh: true, disableCookieCache: true };
    const found = await auth.api.getSession({ headers: request.headers, query });
    return found?.session.id ?? null;
  };
  const userIdOf = async (person: Person): Promise<string> => {
    const { rows } = await authPool.query<{ id: string }>('select id from "user" where email = $1', [person.email]);
    return rows[0]?.id ?? "";
  };

  return {
    async load(ref) {
      const signIn = await find(ref);
      return signIn === null ? null : toSession(signIn);
    },
    resolve,
    async of(request) {
      const id = await resolve(request);
      return id === null ? null : find(id);
    },
    async names() {
      const { rows } = await authPool.query<{ id: string; name: string }>('select id, name from "user"');
      return Object.fromEntries(rows.map(({ id, name }) => [id, name]));
    },
    async signIn({ headers }, who) {
      const person = personByKey(who);
      if (person === undefined) return new Response(null, { status: 404 });
      const body = { email: person.email, password: passwordOf(person) };
      return auth.api.signInEmail({ body, headers, asResponse: true });
    },
    signOut: ({ headers }) => auth.api.signOut({ headers, asResponse: true }),
    async actAs({ headers }, who) {
      const person = personByKey(who);
      if (person === undefined) return new Response(null, { status: 404 });
      return auth.api.impersonateUser({ body: { userId: await userIdOf(person) }, headers, asResponse: true });
    },
    stopActing: ({ headers }) => auth.api.stopImpersonating({ headers, asResponse: true }),
  };
}

// The library looks at neither a ban that came after the sign-in nor what became of an impersonator: this does.
const liveSession = `
  select s.id, s."userId", u.email, s."impersonatedBy", a.email as "actorEmail"
  from session s
  join "user" u on u.id = s."userId"
  left join "user" a on a.id = s."impersonatedBy"
  where s.id = $1 and s."expiresAt" > clock_timestamp() and u.banned is not true
    and (s."impersonatedBy" is null or (a.role = 'admin' and a.banned is not true))`;

function toSession({ id, userId, person, actor }: SignIn): Session {
  return {
    ref: id,
    userId,
    can: (permission) => person.permissions.includes(permission),
    impersonatedBy: actor?.email,
    displayName: person.name,
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  };
}
