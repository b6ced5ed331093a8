interface PrintEnds {
  before: () => void;
  after: () => void;
}

/** Hears that the page is about to be printed, and that it was; a browser may say either more than once. @returns how to stop. */
export function onPrint({ before, after }: PrintEnds): () => void {
  // what shows a page as it prints, and prints nothing, tells of the medium alone
  const paper = window.matchMedia('print');
  const onMedium = (): void => (paper.matches ? before() : after());
  window.addEventListener('beforeprint', before);
  window.addEventListener('afterprint', after);
  paper.addEventListener('change', onMedium);
  return () => {
    window.removeEventListener('beforeprint', before);
    window.removeEventListener('afterprint', after);
    paper.removeEventListener('change', onMedium);
  };
}
