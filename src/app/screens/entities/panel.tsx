import { type ReactNode, useId } from 'react';
import { StaleAnswer } from '#app/stale-answer.tsx';
import { Button } from '#app/ui/button.tsx';
import { SkeletonRows } from '#app/ui/states.tsx';
import type { PanelState } from './use-entity-panels.ts';

interface PanelProps<Rows> {
  title: string;
  /** What chooses what is shown. */
  choice?: ReactNode;
  state: PanelState<Rows>;
  /** What is said while nothing is asked for yet. */
  unasked?: string;
  children: (rows: Rows) => ReactNode;
}

/** A part of an entity's page that looks at an answer of the server. */
export function Panel<Rows>({ title, choice, state, unasked = '', children }: PanelProps<Rows>) {
  const id = useId();
  const line = 'page-inset pb-6 text-muted';
  const content = ((): ReactNode => {
    switch (state.step) {
      case 'unasked':
        return <p className={line}>{unasked}</p>;
      case 'loading':
        return <SkeletonRows rows={3} />;
      case 'offline':
        return <p className={line}>There is no network, and this was not looked at here before. It comes back with the network.</p>;
      case 'failed':
        return (
          <div role="alert" className={`${line} flex flex-wrap items-center gap-3`}>
            {state.text}
            <Button size="small" onClick={state.again}>
              Try again
            </Button>
          </div>
        );
      case 'here':
        return (
          <>
            <StaleAnswer at={state.at} isRefused={state.isRefused} onRetry={state.again} className="page-inset" />
            {children(state.rows)}
          </>
        );
    }
  })();
  return (
    <section aria-labelledby={id} className="pb-4">
      <div className="page-inset flex flex-wrap items-center justify-between gap-x-4 gap-y-2 pt-2 pb-3">
        <h2 id={id} className="text-large font-semibold">
          {title}
        </h2>
        {choice}
      </div>
      {content}
    </section>
  );
}
