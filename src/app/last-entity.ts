/** Where the entity one looked at last is kept in local storage: the lists open at it. */
export const lastEntityKey = 'last_entity_id';
