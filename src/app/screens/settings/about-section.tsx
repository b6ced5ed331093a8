import { useServices } from '#app/services.tsx';
import { systemLines } from '#app/shell/system-lines.ts';
import { useDiagnosis } from '#app/shell/use-diagnosis.ts';
import { useIsOnline } from '#app/ui/use-media-query.ts';
import { libraries, mitText } from './libraries.ts';
import { Section } from './section.tsx';

function Versions() {
  const { version, apiBaseUrl } = useServices();
  const isOnline = useIsOnline();
  const { data, isError } = useDiagnosis();
  const unknown = isError || !isOnline ? 'The server does not answer' : 'Looking';
  const lines = [
    { name: 'Tieout', text: version },
    { name: 'Web build', text: version.slice(0, 7) },
    ...(data
      ? systemLines(data).map((line) => ({ name: line.name, text: line.version }))
      : [
          { name: 'REST API', text: unknown },
          { name: 'Exchange integrations', text: unknown },
        ]),
    { name: 'Server', text: apiBaseUrl },
  ];
  return (
    <dl className="grid grid-cols-[160px_1fr] gap-y-1 text-grid">
      {lines.map(({ name, text }) => (
        <div key={name} className="contents">
          <dt className="text-muted">{name}</dt>
          <dd className="figures break-all">{text}</dd>
        </div>
      ))}
    </dl>
  );
}

function Licences() {
  return (
    <details className="text-grid">
      <summary className="w-fit cursor-pointer rounded-sm font-medium text-link">Libraries and their licences</summary>
      <ul className="my-3">
        {libraries.map(({ name, licence, copyright }) => (
          <li key={name} className="flex flex-wrap justify-between gap-x-4 border-t border-line py-1">
            <span className="font-medium">{name}</span>
            <span className="text-muted">
              {licence}, © {copyright}
            </span>
          </li>
        ))}
      </ul>
      <h3 className="pt-2 font-semibold">The MIT licence</h3>
      <p className="py-1 text-small whitespace-pre-line text-soft">{mitText}</p>
      <h3 className="pt-2 font-semibold">The Apache licence, version 2.0</h3>
      <p className="py-1 text-small text-soft">
        Licensed under the Apache License, Version 2.0. Its text is at{' '}
        <a href="https://www.apache.org/licenses/LICENSE-2.0" target="_blank" rel="noreferrer" className="rounded-sm text-link underline">
          apache.org/licenses/LICENSE-2.0
        </a>
        .
      </p>
    </details>
  );
}

/** What this is, of which version, and what it is made of. */
export function AboutSection() {
  return (
    <Section title="About">
      <Versions />
      <Licences />
    </Section>
  );
}
