import { useState } from 'react';
import type { TransactionSearch } from '#app/screens/transactions/transaction-search.ts';
import { isAtView, type View, viewText } from './view-search.ts';

export interface ChosenView {
  /** The view one is at, or came from by changing its filter. */
  chosen: View | undefined;
  /** The address is no longer what the chosen view stands for. */
  isModified: boolean;
  choose: (id: string) => void;
}

/** Which view the address shows. One that is left by changing the filter stays chosen, as modified, until another is reached. */
export function useChosenView(views: readonly View[], here: TransactionSearch): ChosenView {
  const address = viewText(here, true);
  const [standing, setStanding] = useState<{ id: string | undefined; address: string | null; views: number }>({
    id: undefined,
    address: null,
    views: 0,
  });
  const chosen = views.find((view) => view.id === standing.id);
  const isAt = chosen !== undefined && isAtView(chosen.search, here);
  if (standing.address !== address || standing.views !== views.length) {
    const reached = isAt ? chosen : views.find((view) => isAtView(view.search, here));
    setStanding({ id: reached?.id ?? standing.id, address, views: views.length });
  }
  return { chosen, isModified: chosen !== undefined && !isAt, choose: (id) => setStanding({ ...standing, id }) };
}
