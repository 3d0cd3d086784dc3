/** Bulk actions and saved views. */
export const operationsOfLists: Readonly<Record<string, string>> = {
  'bulkActions.propose':
    'The runs are those that match the filters now, or those of `runUuids`, at most 20,000. They are chosen once: runs that match later are not touched. The answer says what would be touched and why other runs are left out; nothing is touched before the start. A proposal is only for you and lasts for a day, and your newest 5 are kept. `cancel` takes runs that have not ended. `rerun` takes runs that have ended, and repeats each in the version, with the variant, the flags and the budget that it had: one run request for each combination, at most 500. `tag` puts `newTag` on the runs themselves. `delete` takes imported runs, and is for admins. `export` only keeps the selection for the filter `bulk_action` of `GET /runs/export`. `sort` has no effect. Only personal keys may call it.',
  'bulkActions.list':
    'The newest 20 of everybody, with their progress. Unchanged answers are 304 to a request with `if-none-match`.',
  'bulkActions.get': 'Poll it while the action runs.',
  'bulkActions.start':
    'The platform works in the background, in batches: each run is changed at most once, even if a server is killed. A run that can no longer be changed is skipped, with the reason. Repeating the call is safe. A stopped or failed action does the rest. Runs again need credit for all of them, and hard budgets that cover them. A deletion needs the `confirmation` and is recorded in the audit log. Only personal keys may call it.',
  'bulkActions.stop':
    'The batch in progress ends first; what was done stays done. Only the person who started it and admins can stop an action. Only personal keys may call it.',
  'savedViews.list':
    'Sorted by name. An organization key sees the shared ones. `isFavorite` and `isDefault` are your own marks.',
  'savedViews.create':
    'A view stores the query of the page’s URL. Views of an experiment’s runs or results need `experimentId`. The name must be new among your views of the page. Only personal keys may call it.',
  'savedViews.update':
    'Changes only the fields you send. Shared views are changed by the person who saved them or by an admin. Only personal keys may call it.',
  'savedViews.mark':
    'Changes nothing for other people. A new default replaces your earlier default of the same page. Only personal keys may call it.',
  'savedViews.delete': 'A shared view is deleted for everyone. Only personal keys may call it.',
}
