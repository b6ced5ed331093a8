import { useState } from 'react';
import type { Account } from '#contract/accounts.ts';
import { type ImportAnswer, importFile } from '#contract/raw-data.ts';
import { textOfError } from '#app/notices.tsx';
import { useServices } from '#app/services.tsx';

export type ImportState = { step: 'choose'; problem: string | null } | { step: 'sending' } | { step: 'done'; answer: ImportAnswer };

/** Sends a file and fetches the stretch of days its rows are of. */
export function useImport(account: Account): {
  state: ImportState;
  send: (file: File, profileId: string) => Promise<void>;
  again: () => void;
} {
  const { call, engine, notices } = useServices();
  const [state, setState] = useState<ImportState>({ step: 'choose', problem: null });
  const send = async (file: File, profileId: string): Promise<void> => {
    setState({ step: 'sending' });
    try {
      const answer = await call(
        importFile,
        { account_id: account.id, ...(profileId ? { profile_id: profileId } : {}) },
        { file: { name: file.name, content: file } },
      );
      setState({ step: 'done', answer });
      if (answer.first_date === null || answer.last_date === null) return;
      engine
        .pullRange(account.entity_id, answer.first_date, answer.last_date)
        .catch((error: unknown) => notices.notice('warning', `The rows are at the server, but not here yet. ${textOfError(error)}`));
    } catch (error) {
      setState({ step: 'choose', problem: textOfError(error) });
    }
  };
  return { state, send, again: () => setState({ step: 'choose', problem: null }) };
}
