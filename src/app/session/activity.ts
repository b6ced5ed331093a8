/**
 * Hears each click, and each scroll anywhere on the page; a load is where whoever listens begins.
 * @returns what ends the listening.
 */
export function onActivity(page: EventTarget, heard: () => void): () => void {
  page.addEventListener('click', heard);
  page.addEventListener('scroll', heard, { capture: true, passive: true });
  return () => {
    page.removeEventListener('click', heard);
    page.removeEventListener('scroll', heard, { capture: true });
  };
}
