const looks = {
  dev: { word: 'DEV', look: 'bg-dev text-on-dev' },
  qa: { word: 'QA', look: 'bg-qa text-on-qa' },
} as const;

/** The bar above the menu of a place that is not production, told by the first two parts of the host name. */
export function environmentOfHost(hostName: string): keyof typeof looks | null {
  const parts = hostName.toLowerCase().split('.').slice(0, 2);
  return parts.includes('dev') ? 'dev' : parts.includes('qa') ? 'qa' : null;
}

export function EnvironmentBar({ hostName }: { hostName: string }) {
  const environment = environmentOfHost(hostName);
  if (!environment) return null;
  const { word, look } = looks[environment];
  return <p className={`py-0.5 text-center text-mini font-bold tracking-wider ${look}`}>{word}</p>;
}

/** `ENVIRONMENT QA` where the configured name is one of the three that are not production. */
export function EnvironmentName({ name }: { name: string }) {
  const shown = name.toUpperCase();
  if (!['QA', 'DEV', 'LOCAL'].includes(shown)) return null;
  return <span className="hidden text-mini font-semibold tracking-wide text-muted md:inline">ENVIRONMENT {shown}</span>;
}
