/** No query is asked again by itself. @source specification section 9 */
export const queryBehaviour = { retry: false, refetchOnWindowFocus: false } as const;
