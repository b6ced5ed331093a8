import { useState } from 'react';
import { useServices } from '#app/services.tsx';

/** Whether others use this computer, too; it holds for either way in. */
export function SharedChoice() {
  const { session } = useServices();
  const [isShared, setShared] = useState(session.sharedChoice);
  const change = (is: boolean): void => {
    session.chooseShared(is);
    setShared(is);
  };
  return (
    <label className="mt-4 flex cursor-pointer items-start gap-2 text-grid">
      <input
        type="checkbox"
        className="mt-0.5 size-4 shrink-0 accent-primary"
        checked={isShared}
        onChange={(event) => change(event.target.checked)}
      />
      <span>
        This is a shared computer
        <span className="block text-soft">Nothing is kept here once you sign out, and edits need the network.</span>
      </span>
    </label>
  );
}
