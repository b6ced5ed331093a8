import type { Random } from './random.ts';

/** Edits of a person, with how often each is made where views and transfers are all there is to edit. */
const fewEdits = { saveView: 10, deleteView: 3, markTransfer: 10 } as const;

/** The same where people edit all there is. */
const allEdits = {
  saveView: 5,
  deleteView: 2,
  markTransfer: 6,
  createOrganization: 1,
  updateOrganization: 1,
  deleteOrganization: 1,
  createClient: 1,
  updateClient: 2,
  createEntity: 2,
  updateEntity: 3,
  deleteEntity: 1,
  updateUser: 1,
  setUserRole: 1,
  assignUser: 1,
  submitTicket: 3,
  archiveAsset: 2,
  unarchiveAsset: 1,
  restate: 4,
  foreignPlace: 5,
  foreignDeletion: 1,
  foreignPerson: 3,
  loseClient: 1,
  bulkImport: 1,
  hideUnderSettling: 2,
  workOnOneRow: 3,
  sayAgain: 1,
} as const;

/** Everything else that can happen, with how often it does. */
const weights = {
  typeDraft: 2,
  foreignAdd: 4,
  foreignChange: 6,
  foreignView: 4,
  remakeUnanswered: 2,
  takeBackUnanswered: 2,
  undoChanges: 1,
  correctDates: 4,
  foreignDelete: 7,
  hideEntity: 2,
  showEntity: 4,
  blinkEntity: 4,
  moveEntity: 3,
  changeUnderList: 3,
  editJustMade: 1,
  takeRight: 2,
  giveRights: 3,
  holdFeed: 2,
  forgetChanges: 5,
  lackRow: 1,
  backUp: 1,
  restoreServer: 1,
  restoreUnderForm: 1,
  syncNow: 6,
  sendNow: 4,
  look: 3,
  letRun: 30,
  passSeconds: 12,
  passMinutes: 4,
  killWorker: 3,
  killPage: 2,
  killBrowser: 2,
  losePower: 3,
  secondWorker: 1,
  robLock: 1,
  freezeWorker: 1,
  freezeTab: 2,
  thawTabs: 1,
  closeConnections: 2,
  removeCopy: 1,
  clearBrowser: 1,
  blockOpens: 1,
  weather: 6,
  fillDisk: 1,
  setQuota: 1,
  discard: 1,
  retry: 2,
  setClock: 1,
  setClockRight: 2,
  ageSession: 1,
  endSession: 1,
  signInAgain: 3,
  foreignRename: 4,
  foreignFilter: 3,
  foreignDecision: 4,
  foreignPair: 3,
  changeMind: 3,
  keepMine: 3,
  takeTheirs: 1,
  chooseFields: 1,
  demandUpdate: 1,
  updateApp: 1,
  switchUser: 2,
  guestEdit: 2,
  leaveOut: 1,
  takeIn: 2,
} as const;

export type StepKind = keyof typeof weights | keyof typeof fewEdits | keyof typeof allEdits;

/** One thing that happens; its numbers choose among what there is when it does. */
export interface Step {
  kind: StepKind;
  /** 0 to 1, without 1. */
  one: number;
  other: number;
}

function kindsOf(edits: Partial<Record<StepKind, number>>): StepKind[] {
  return Object.entries({ ...edits, ...weights }).flatMap(([kind, weight]) => Array.from({ length: weight }, () => kind as StepKind));
}

/** What happens in a world: in some people edit everything, in the others nothing but views and transfers, and that much more often. */
const workloads = { few: kindsOf(fewEdits), all: kindsOf(allEdits) };

export function stepsOf(random: Random, count: number, workload: keyof typeof workloads = 'all'): Step[] {
  const kinds = workloads[workload];
  return Array.from({ length: count }, () => ({ kind: random.pick(kinds), one: random.unit(), other: random.unit() }));
}
