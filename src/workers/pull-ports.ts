import type { ApiCall } from '#api-client/call.ts';
import type { Replica } from '#replica/open.ts';
import type { ColumnSets } from './column-sets.ts';
import type { OwnRights } from './own-rights.ts';

/** What a pull needs of the run it is part of. */
export interface PullPorts {
  replica: Replica;
  call: ApiCall;
  sets: ColumnSets;
  now: () => number;
  rights: OwnRights;
  /** The build of the app: another one may read what this one cannot. */
  build: string;
  /** The most rows the server puts in one page, where it says so: then a shorter page is all there is. Null at any other. */
  pageLimit: number | null;
}

/** An entity as the pull needs it: whose it is decides the column set its rows go to. */
export interface PulledEntity {
  id: string;
  client_id: string;
}
