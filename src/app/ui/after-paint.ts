/** To paint a whole list takes some frame. Milliseconds. */
const paintMs = 32;

/** Does something once what is on the screen by now is painted; a hidden page paints nothing: there it is done at once. @returns how to leave it. */
export function afterPaint(work: () => void): () => void {
  if (document.hidden) {
    work();
    return () => undefined;
  }
  let timer: ReturnType<typeof setTimeout> | undefined;
  const frame = requestAnimationFrame(() => {
    timer = setTimeout(work, paintMs);
  });
  return () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
}
