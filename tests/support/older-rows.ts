type Fields = readonly string[];

/** Full rows as a build before wrote them: a line each, and a first one with what their fields are called. */
export function linesOf(rows: readonly object[]): string {
  const shapes: Fields[] = [];
  const lines = rows.map((row) => {
    const entries = Object.entries(row).filter(([, value]) => value !== undefined);
    return JSON.stringify([shapeOf(entries, shapes), ...entries.map(([, value]) => value)]);
  });
  return [JSON.stringify(shapes), ...lines].join('\n');
}

function shapeOf(entries: readonly [string, unknown][], shapes: Fields[]): number {
  const known = shapes.findIndex((fields) => fields.length === entries.length && fields.every((field, at) => field === entries[at]?.[0]));
  return known >= 0 ? known : shapes.push(entries.map(([field]) => field)) - 1;
}
