/** What went wrong with a form as a whole; nothing where nothing did. */
export function FormProblem({ text }: { text: string | null }) {
  if (text === null) return null;
  return (
    <p role="alert" className="rounded bg-bad-soft px-3 py-2 text-grid">
      {text}
    </p>
  );
}
