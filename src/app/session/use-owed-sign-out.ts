import { useEffect } from 'react';
import { useServices } from '#app/services.tsx';
import { settleOwedSignOut } from './sign-out.ts';

/** How often it is tried again, in milliseconds: a server may come back though the network never went. */
const tryEveryMs = 15_000;

/** Makes up for a sign-out the server has not heard of, now and as soon as it can be reached. */
export function useOwedSignOut(): void {
  const services = useServices();
  useEffect(() => {
    const settle = (): void => void settleOwedSignOut(services);
    settle();
    window.addEventListener('online', settle);
    document.addEventListener('visibilitychange', settle);
    const timer = setInterval(settle, tryEveryMs);
    return () => {
      window.removeEventListener('online', settle);
      document.removeEventListener('visibilitychange', settle);
      clearInterval(timer);
    };
  }, [services]);
}
