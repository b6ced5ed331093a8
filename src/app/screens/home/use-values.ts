import { useLiveQuery } from 'dexie-react-hooks';
import { useMemo } from 'react';
import type { DayValue } from '#contract/value-histories.ts';
import { kindOfAccount, valuesOverTime } from '#domain/portfolio-values.ts';
import { valueHistoriesOf } from '#replica/nouns.ts';
import { useReplica } from '#app/use-replica.ts';
import { clientName } from './home-columns.tsx';
import type { HomeRow } from './use-home-rows.ts';

/** What belongs to a client, an entity or a kind of account now. */
export interface ValuePart {
  by: 'client' | 'entity' | 'kind';
  key: string;
  label: string;
  value_usd: string;
}

export interface Values {
  days: DayValue[];
  parts: ValuePart[];
}

/** What the entities of some rows were worth and how that is spread; `undefined` while opening. */
export function useValues(rows: readonly HomeRow[]): Values | undefined {
  const replica = useReplica();
  const histories = useLiveQuery(() => valueHistoriesOf(replica), [replica]);
  return useMemo(() => {
    if (!histories) return undefined;
    const byEntity = new Map(rows.map((row) => [row.entity.id, row]));
    const shown = histories.flatMap((history) => {
      const row = byEntity.get(history.id);
      return row ? [{ history, row }] : [];
    });
    return {
      days: valuesOverTime(shown.map(({ history }) => history)),
      parts: shown.flatMap(({ history: { kinds }, row }) =>
        kinds.flatMap(({ value_usd, ...kind }): ValuePart[] => [
          { by: 'client', key: row.entity.client_id, label: clientName(row), value_usd },
          { by: 'entity', key: row.entity.id, label: row.entity.entity_name, value_usd },
          { by: 'kind', key: kindOfAccount(kind), label: kindOfAccount(kind), value_usd },
        ]),
      ),
    };
  }, [histories, rows]);
}
