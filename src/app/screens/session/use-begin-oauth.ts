import { useState } from 'react';
import { beginOauth } from '#contract/oauth.ts';
import { useServices } from '#app/services.tsx';
import { refusalText } from './enter.ts';

/** Leaves for the sign-in provider; what kept it from that is the problem. */
export function useBeginOauth(): { begin: () => Promise<void>; isBusy: boolean; problem: string | null } {
  const { call, visit } = useServices();
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const begin = async (): Promise<void> => {
    setIsBusy(true);
    setProblem(null);
    try {
      visit((await call(beginOauth, {})).authorization_url);
    } catch (error) {
      setProblem(refusalText(error));
    } finally {
      // whoever comes back finds the button as it was
      setIsBusy(false);
    }
  };
  return { begin, isBusy, problem };
}
