interface SideHeadsProps {
  /** What the first column names, and then each side, each with how wide it is. */
  columns: readonly (readonly [head: string, width: string])[];
}

/** The heads of a table that sets sides of the same fields beside each other. */
export function SideHeads({ columns }: SideHeadsProps) {
  return (
    <thead>
      <tr className="border-b border-line-strong text-left text-small text-muted">
        {columns.map(([head, width]) => (
          <th key={head} scope="col" className={`${width} py-1 pr-3 font-medium last:pr-0`}>
            {head}
          </th>
        ))}
      </tr>
    </thead>
  );
}
