import { taskOperations } from './reference-of-tasks.ts'
import { operationsOfSchedules } from './operations-of-schedules.ts'
import { operationsOfReports } from './operations-of-reports.ts'
import { operationsOfContext } from './operations-of-context.ts'
import { importOperations } from './reference-of-imports.ts'
import { partingOperations } from './reference-of-partings.ts'
import { operationsOfMail } from './operations-of-mail.ts'
import { webhookOperations } from './operations-of-webhooks.ts'

/** Describes each operation beyond its summary: when to use it, what it changes, and possible surprises. */
export const operationTexts: Readonly<Record<string, string>> = {
  ...operationsOfContext,
  ...webhookOperations,
  ...operationsOfMail,
  ...importOperations,
  ...partingOperations,
  ...operationsOfReports,
  'identity.whoami':
    'Start here to check a key. It never needs `org_id`. The response contains the organization ids to send as `org_id` on all other routes.',
  'apiKeys.listOwn': 'Keys that are not revoked, newest first, also expired ones. Only personal keys may call it.',
  'apiKeys.createOwn':
    'The new key acts with your role, and only in the organization of the request. The response has the key, which is never shown again. Only personal keys may call it.',
  'apiKeys.approve':
    'For programs such as `assay login`: the program makes a key, and its person approves it in the browser. The key itself never passes the browser. It acts with your role, and only in the organization of the request. Only personal keys may call it.',
  'apiKeys.showApproval':
    'Ask every few seconds with the key that you made, until it is approved. No answer is in the audit log.',
  'apiKeys.rotateOwn':
    'The new key has the same name and the same access. The old key expires after `overlapHours`, 24 by default, and at once with 0. A key can be rotated once.',
  'apiKeys.revokeOwn': 'The key stops working at once, in every organization. A second call changes nothing.',
  'apiKeys.list':
    'Keys that are not revoked, newest first, also expired ones: the organization’s and those of its members. Admins only.',
  'apiKeys.create':
    'An organization key belongs to no person and acts under its own name, with the given role. The response has the key, which is never shown again. Admins only.',
  'apiKeys.rotate':
    'As for personal keys, for a key of the organization. It is refused for a key that also has access to an organization that you do not administer. Admins only.',
  'apiKeys.revoke':
    'Ends the access of the key to this organization, and revokes a key without access to another one. Admins only.',
  'members.list': 'Every member may call it. Organization keys are not members.',
  'members.changeRole':
    'The role applies to all personal keys of the member at once. The last admin keeps the role: the request fails with `failed_precondition`. So does a change of a person as whom the demo signs visitors in. Admins only.',
  'members.remove':
    'The member’s keys lose access to the organization at once. Their runs, reports and insights stay, and so do organization keys that they created. The last admin cannot be removed, nor can a person as whom the demo signs visitors in: the request fails with `failed_precondition`. Admins only.',
  'members.leave':
    'Like removing yourself. The last admin cannot leave, nor can a person as whom the demo signs visitors in. Only personal keys may call it.',
  'invitations.list': 'Invitations that can still be used. Their links are never shown again. Admins only.',
  'invitations.create':
    'The link works once, for the person with this email address. It stops working when it expires or is revoked, when the API key that created it is revoked or rotated without an overlap, or when its creator is no longer an admin. The response has the link, which is never shown again. If the installation sends email, the link is also emailed to the address. Admins only.',
  'invitations.revoke': 'The link stops working at once. A second call changes nothing. Admins only.',
  'invitations.accept':
    'The caller becomes a member, and the key of the request gets access to the organization. The invitation must be for the caller’s email address. Only personal keys may call it.',
  'invitations.show':
    'Send the token of the link in place of an API key. The message of a refusal says why the invitation cannot be used.',
  'invitations.join':
    'Send the token of the link in place of an API key. The response has the person’s new API key, which is never shown again. A person who already has an account must accept the invitation with their API key instead; without a working one, they ask the operator. An invitation of the operator gives them a new key.',
  'organization.get': 'Every member may call it.',
  'organization.rename': 'The slug, which addresses and the command line use, stays. Admins only.',
  'identity.rename':
    'The name is the same in all your organizations. Names of people as whom the demo signs visitors in cannot be changed. Only personal keys may call it.',
  'audit.list':
    'Sign-ins, refused requests, and changes of members, keys, secrets and public links. Values of `event` are alternatives; different filters must all match. Events are never changed or deleted. Admins only.',
  'audit.export':
    'The file has one row for each event that matches when the export starts, newest first. The header `x-total-count` has the number of rows. In CSV, text that a spreadsheet would run as a formula starts with an apostrophe. Admins only.',
  'labels.list':
    'Oldest first: tags, notes and disputed outcomes of the run, its tests and the turns of its transcript. With `blind`, labels of others are hidden until you have put a tag on the run itself.',
  'labels.add':
    "A tag has a name of letters, digits, spaces and `. _ : / # ( ) ' -`, stored in lower case. A note is free text. A dispute claims that the run was solved, or was not, and gives the reason; it changes neither the measured outcome nor any result. A label is about the run unless `testName` or `turn` names a part of it. If you already added the same label to the same target, the call returns it. Only personal keys may call it.",
  'labels.change':
    'A tag cannot be edited: delete it and add another one. Only the author may call it, with a personal key.',
  'labels.delete':
    'Everyone can delete their own labels; admins can delete any, which the audit log records. Only personal keys may call it.',
  'labels.tags':
    'At most 500, as many as an organization may have. `runs` also counts runs with a tagged test or turn.',
  'labels.review':
    'Takes the filters of `GET /runs`, and at most 10,000 runs. A person has reviewed a run once they put a tag on the run itself. The agreement covers the runs that both reviewers tagged, with the set of tags as the category of a run; a κ is null if there are no such runs, or if both used one category for all of them. Without `first` and `second` it compares you with the busiest other reviewer.',
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
  ...operationsOfSchedules,
  ...taskOperations,
  'home.get':
    'One request for everything that changes on Home. Unchanged answers are 304 to a request with `if-none-match`. With `since`, the answer has `changes`: requests that finished, tests that flipped between the newest two versions, and saved queries and reports that somebody changed.',
  'experiments.list':
    'Values of one filter are alternatives; different filters must all match. A filter can be repeated or separated by commas. Pages repeat and skip no experiments, except those whose sort value changes between two pages.',
  'experiments.push':
    'Send the YAML as `text/yaml`, or JSON with the YAML in `experimentYaml`. The same definition and files always give the same version, so a repeated push creates nothing and returns `created: false`. Push a definition that needs files as JSON with its package, unless an equal version is already stored.',
  'runs.requestsOfCommits':
    'A pipeline names the commit in `origin` when it submits runs. `branch` and `commit` select by equal text. `solved` counts the runs that have ended, as charts do.',
  'packageFiles.findMissing':
    'Before a push, send the hashes of all tars of the package, and stage those that the response names. A file that somebody of the organization staged before is not missing.',
  'packageFiles.stage':
    'A file is a tar with one entry, a folder a tar with its entries. The same bytes again change nothing. Send the response in `versionFiles` of the push, with `source` and `dest` of the definition. A tar has at most 20 MB; the operator can stage larger ones on the server with `assay admin files stage`.',
  'experiments.get': 'Returns the latest version by default.',
  'experiments.versions': 'A version that is pushed again moves to the top and keeps its ordinal.',
  'experiments.yaml': 'Returns exactly the text that was pushed.',
  'experiments.export':
    'The archive (tar.gz) has the definitions and package files of all versions, and every run that has ended when the export starts, with its tests, scores, transcript and changes. Runs that have not ended, labels, comments and insights are not in it. `POST /imports` reads it, here or on another server, and its charts are equal there. The header `x-total-count` has the number of runs. If the server fails meanwhile, it cuts the connection.',
  'experiments.fork':
    'Runs, results and links are not copied. `newExperimentId` and `newName` are derived from the source by default.',
  'resources.add': 'Send one link as `title` and `url`, or several in `resources`. Either all or none are added.',
  'resources.update': 'Changes only the fields you send.',
  'resources.delete': 'Links are not part of the YAML, so no version changes.',
  'runs.submit':
    'Selectors are a union: a variant runs when it matches any of them. Without selectors, every variant runs. The response arrives before the runs finish; follow them with `GET /runs/{id}`. The credit that the runs may need is reserved at once.',
  'runs.estimate': 'Takes the same body as a submission and changes nothing.',
  'runs.list':
    'Values of one filter are alternatives; different filters must all match. Sorted by `createdAt`, newest first, unless `sort` says otherwise. Pages repeat and skip no runs, except runs whose sort value changes between two pages.',
  'runs.export':
    'The file has one row for each run that matches when the export starts, in the order of the list, each with its values when it is written. The header `x-total-count` has the number of rows. If the server fails meanwhile, it cuts the connection. In CSV, text that a spreadsheet would run as a formula starts with an apostrophe. Columns have the names of the SQL table `runs`, where it has them.',
  'changes.list':
    'Compares the workspace after the agent, and before the tests, with its state after setup. Secrets are masked in names and contents. `leftOut` says what was too large or too much to keep. Runs without recorded changes have `status: "unavailable"`.',
  'changes.get':
    'A side is null if it does not exist, or if its content was too large to keep. Text is UTF-8, other content base64.',
  'changes.download':
    '`patch` is for `git apply`; `archive` is a tar.gz of the added and changed files and the artifacts. The header `x-total-count` has the number of files.',
  'runs.get':
    'For a composite id (`<variant_id>::<hash>`, percent-encoded) the response has `run`; for the UUID of a request it has `runRequest`. Add the transcript with `transcript=true`, and its reasoning turns with `include=reasoning`.',
  'runs.modelCalls':
    'Only for a composite id. The calls of earlier attempts come first. A call appears within about a second after its end.',
  'runs.spans':
    'Only for a composite id. The agent sends them with OTLP over HTTP to the address in `OTEL_EXPORTER_OTLP_ENDPOINT`. Secrets are masked. A run has at most 10,000 spans; `leftOutSpans` says what is missing. They are deleted with the transcript.',
  'runs.getImage':
    'The id of the run is a composite id, and that of the image is in `images` of a turn. The answer is the file, and never anything else than an image. It is deleted with the transcript.',
  'runs.cancel': 'The id is that of a run request. Ended runs are not affected. Cost already incurred is not refunded.',
  'runs.decision':
    'The id is that of a run request that was submitted with `untilDecided`; for other requests the response is 404.',
  'queries.experiment':
    'Send `sql`, or `metrics` with `groupBy`. SQL is one SELECT over the tables `runs`, `tests`, `turns`, `spans`, `failures`, `outputs`, `labels` and `scores`, which contain only rows of this experiment. Metrics do not count runs that are left out (`infrastructureCause`); `leftOutRuns` says how many there are. SQL sees these runs: add `infrastructure_cause IS NULL` to leave them out. With `dryRun`, nothing is executed. With `saveInsight`, the statement is saved after it succeeds.',
  'queries.organization':
    'Like the query of an experiment with `sql`, over the rows of every experiment. With `saveInsight`, the insight has no provenance.',
  'queries.file':
    'The rows are those of the query of the organization, or with `experiment_id` of the experiment. A result of more than 10,000 rows is refused unless `limit` is sent: then only the first are in the file. Parquet has the types of the columns: numbers, booleans, dates and instants; lists and maps are JSON, and decimals, UUIDs and wider integers text.',
  'queries.run': 'Like the query of an experiment, over the rows of one run.',
  'failureSignatures.list':
    'Failures of tests, tool calls and runs are grouped by a signature: their message with everything that varies replaced by placeholders. Only runs that have ended count, without test-aware runs unless `include_test_aware` is set. Without `group_by`, groups are those of the axes that vary besides the prompt, and besides the environment where each prompt has its own.',
  'failureSignatures.runs': 'Each run is listed once, with its first failure of the signature. Last ended first.',
  'outputMatches.list':
    'Finds a text in any case; it is not a pattern. A search reads runs from the one that ended last and takes about three seconds at most; a response with `nextPageToken` can be continued, and `searchedRuns` of `totalRuns` says how far it got. Reasoning is left out unless `include=reasoning`.',
  'textSearch.list':
    'Finds a text in any case, also in reasoning; it is not a pattern. A page reads runs of all experiments from the one that ended last, for about three seconds at most, and has one match for each run; the first page has the reports too. `searchedRuns` of `totalRuns` says how far it got, and `nextPageToken` continues with older runs.',
  'tests.list': 'A composite id lists the tests of one run; the id of a run request lists the tests of all its runs.',
  'tests.get': 'Percent-encode the name of the test.',
  'network.get':
    'Recorded every few seconds while a run is in progress. Empty for mock runs, for runs without network, and for workers that use neither bubblewrap nor containers. A refused connection says why in `refusedBecause`.',
  'credits.balance': 'Only admins can read it. Returns the current cycle by default.',
  'credits.spend': 'Admins see the whole organization. Members see their own runs only.',
  'credits.reload':
    'Send the person to `url` to pay. The balance changes only after the payment provider has confirmed.',
  'insights.list': 'No SQL is executed. With `experiment`, the built-in charts of that experiment come first.',
  'insights.create': 'The statement is checked and executed once before it is saved.',
  'insights.get':
    'Executes a saved query and returns its rows. For a chart it returns only the description; get the data with `execute`.',
  'insights.execute':
    'Only for built-in charts. The data is a JSON string; the chart’s `responseSchemaJson` is its schema.',
  'insights.update':
    'Changes only the fields you send. Visitors of a shared insight still see the version of the first share.',
  'insights.delete': 'Also revokes its public link at once. Returns `deleted: false` if the insight does not exist.',
  'insights.share': 'Anyone with the URL sees the result without an API key, until the insight is deleted.',
  'secrets.list': 'Values are never returned.',
  'secrets.put': 'Omitting `description` clears it.',
  'secrets.delete': 'Deleting a secret that does not exist is not an error.',
  'notifications.list': 'Requires a personal key.',
  'notifications.read': 'Requires a personal key. Repeating the call is safe.',
  'notifications.listRpc': 'The same feed in RPC form. Requires a personal key.',
  'notifications.readRpc': 'The same action in RPC form. Requires a personal key.',
  'legacyResults.list': 'For older clients only. New clients should use the query routes.',
  'legacyResults.get': 'For older clients only. New clients should use `GET /runs/{id}`.',
}
