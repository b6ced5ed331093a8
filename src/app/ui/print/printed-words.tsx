/** What a list is narrowed to, on paper in words where the screen has controls; a value that is absent narrows nothing. */
export function PrintedWords({ words }: { words: readonly (readonly [name: string, value: string | undefined])[] }) {
  const said = words.filter(([, value]) => value !== undefined && value.trim() !== '');
  if (said.length === 0) return null;
  return (
    <dl className="page-inset hidden pb-2 text-small print:block">
      {said.map(([name, value]) => (
        <div key={name}>
          <dt className="inline text-muted">{name}: </dt>
          <dd className="inline">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
