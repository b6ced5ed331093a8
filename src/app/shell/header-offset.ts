/** How much less than the room beside the open menu, or than the whole window where it is closed, the header takes, in pixels. @source specification section 2 */
export const headerOffset = { closed: 96, open: 64 } as const;

/** The rail of icons a closed menu leaves, in pixels. */
export const railWidth = 64;

/** What stays free at either side of the header and of the page below it: the offset, less the rail, by halves. */
export function pageInset(isMenuOpen: boolean): number {
  return (isMenuOpen ? headerOffset.open : headerOffset.closed - railWidth) / 2;
}
