/** Whose prices are shown. @source specification section 3, price source */
export interface PriceSource {
  id: string;
  name: string;
}

/** Where nobody chose another one. */
export const defaultPriceSource: PriceSource = { id: '1', name: 'Digital Asset Research' };

/** The sources there are; no call of the API lists them. */
export const priceSources: readonly PriceSource[] = [defaultPriceSource];
