/** The channel on which the triggers of the change log tell where something changed. */
export const feedChannel = 'tieout_feed';

/** Told the scope of a change: `user` (everybody's), `user:<id>`, `client:<id>` or `entity:<id>`. */
export type OnNotice = (scope: string) => void;
