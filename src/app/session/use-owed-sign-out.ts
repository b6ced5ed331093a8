import { useEffect } from 'react';
import { useServices } from '#app/services.tsx';
import { settleOwedSignOut } from './sign-out.ts';

/** Makes up for a sign-out the server has not heard of, now and as soon as there is a network. */
export function useOwedSignOut(): void {
  const services = useServices();
  useEffect(() => {
    const settle = (): void => void settleOwedSignOut(services);
    settle();
    window.addEventListener('online', settle);
    return () => window.removeEventListener('online', settle);
  }, [services]);
}
