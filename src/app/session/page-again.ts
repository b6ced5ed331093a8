/** Whether the browser loaded this page as one it had shown before: reloaded, gone back to, or opened again. */
export function isPageAgain(): boolean {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return navigation !== undefined && navigation.type !== 'navigate';
}
