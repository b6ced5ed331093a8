import { pgTable, primaryKey, text, unique, uuid } from 'drizzle-orm/pg-core';
import type { ViewedList } from '#contract/saved-views.ts';
import { createdAt, moment, version } from './column-types.ts';
import { users } from './users.ts';

/** A person's named views of a list: the query of its address under a name. The key begins with the person, so ids of two people never meet. */
export const savedViews = pgTable(
  'saved_views',
  {
    user_id: uuid('user_id')
      .notNull()
      .references(() => users.id),
    id: uuid('id').notNull(),
    list: text('list').$type<ViewedList>().notNull(),
    name: text('name').notNull(),
    /** The name as two are compared. */
    name_key: text('name_key').notNull(),
    search: text('search').notNull(),
    version: version(),
    created_at: createdAt(),
    updated_at: moment('updated_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.user_id, table.id] }),
    unique('saved_views_by_name').on(table.user_id, table.list, table.name_key),
  ],
);
