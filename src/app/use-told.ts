import { textOfError } from './notices.tsx';
import { useServices } from './services.tsx';

/** Says what went wrong with what has no form to say it in. @returns whether it went well. */
export function useTold(): (work: Promise<unknown>) => Promise<boolean> {
  const { notices } = useServices();
  return async (work) => {
    try {
      await work;
      return true;
    } catch (error) {
      notices.notice('error', textOfError(error));
      return false;
    }
  };
}
