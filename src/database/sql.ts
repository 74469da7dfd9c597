/** One SQL statement with its parameters, to be run as a named prepared statement. */
export interface Statement {
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

const known = new WeakMap<TemplateStringsArray, { readonly name: string; readonly text: string }>();
let made = 0;

/**
 * Writes a statement: each `${value}` becomes a parameter, never text. Text and name are made once per place in the
 * source, so that the server plans it once per connection. A plain object is sent as JSON and an array as a PostgreSQL
 * array: an array meant as jsonb is stringified first. Columns are named, never `*`: a prepared `*` fails once a newer
 * node has added a column.
 */
export function sql(parts: TemplateStringsArray, ...values: readonly unknown[]): Statement {
  let statement = known.get(parts);
  if (statement === undefined) {
    const text = parts.reduce((before, part, index) => `${before}$${index}${part}`);
    statement = { name: `countersign_${++made}`, text };
    known.set(parts, statement);
  }
  return { ...statement, values };
}
