/** A person of the office, with what they may do. */
export interface Person {
  readonly key: string;
  readonly name: string;
  readonly email: string;
  readonly job: string;
  /** Said on the sign-in page. */
  readonly rights: string;
  readonly administrator: boolean;
  readonly permissions: readonly string[];
}

const read = ["assistant.use", "crm.read", "billing.read", "tasks.read"];
const write = ["crm.write", "billing.write", "tasks.write"];

export const people: readonly Person[] = [
  {
    key: "maja",
    name: "Maja Lind",
    email: "maja@larkspur.example",
    job: "Office manager",
    rights: "Reads and changes everything here",
    administrator: false,
    permissions: [...read, ...write],
  },
  {
    key: "tom",
    name: "Tom Adeyemi",
    email: "tom@larkspur.example",
    job: "Auditor",
    rights: "Reads, and changes nothing",
    administrator: false,
    permissions: read,
  },
  {
    key: "ines",
    name: "Ines Duarte",
    email: "ines@larkspur.example",
    job: "Administrator",
    rights: "Changes everything, and can act as others",
    administrator: true,
    permissions: [...read, ...write, "assistant.manage"],
  },
];

const byEmail = new Map(people.map((person) => [person.email, person]));
const byKey = new Map(people.map((person) => [person.key, person]));

export function personByEmail(email: string): Person | undefined {
  return byEmail.get(email);
}

export function personByKey(key: string): Person | undefined {
  return byKey.get(key);
}
