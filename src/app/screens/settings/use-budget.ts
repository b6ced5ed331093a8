import { useEffect, useState } from 'react';
import { chooseBudget, chosenBudget } from '#replica/budget.ts';
import { textOfError } from '#app/notices.tsx';
import { useServices } from '#app/services.tsx';
import { useReplica } from '#app/use-replica.ts';

/** How much of this device the copies on it may take, in bytes, null while that is looked up; and how to choose it. */
export function useBudget(): { budget: number | null; choose: (bytes: number) => void } {
  const { notices } = useServices();
  const { host } = useReplica();
  const [budget, setBudget] = useState<number | null>(null);
  useEffect(() => {
    let isHere = true;
    chosenBudget(host).then(
      (bytes) => isHere && setBudget(bytes),
      () => undefined,
    );
    return () => {
      isHere = false;
    };
  }, [host]);
  const choose = (bytes: number): void => {
    setBudget(bytes);
    chooseBudget(host, bytes).catch((error: unknown) => {
      setBudget(budget);
      notices.notice('error', `It could not be noted: ${textOfError(error)}`);
    });
  };
  return { budget, choose };
}
