import { operationsOfSchedules, schedulePathParameters, scheduleQueryParameters } from './operations-of-schedules.ts'
import { operationsOfLists } from './operations-of-lists.ts'
import { webhookOperations, webhookPathParameters } from './operations-of-webhooks.ts'

/** Describes each operation beyond its summary: when to use it, what it changes, and possible surprises. */
export const operationTexts: Readonly<Record<string, string>> = {
  ...webhookOperations,
  'identity.whoami':
    'Start here to check a key. It never needs `org_id`. The response contains the organization ids to send as `org_id` on all other routes.',
  'apiKeys.listOwn': 'Keys that are not revoked, newest first, also expired ones. Only personal keys may call it.',
  'apiKeys.createOwn':
    'The new key acts with your role, and only in the organization of the request. The response has the key, which is never shown again. Only personal keys may call it.',
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
    'The link works once, for the person with this email address. It stops working when it expires or is revoked, when the API key that created it stops working, or when its creator is no longer an admin. The response has the link, which is never shown again. Admins only.',
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
  'reportComments.list':
    'Everyone who can read the report can read its comments. Unchanged answers are 304 to a request with `if-none-match`. Comments never change the `updatedAt` of the report.',
  'reportComments.start':
    'Send the text of a paragraph as `quote`, or its first 2,000 characters, and where it starts. The comment then follows the paragraph through edits. A link to `assay://people/<id>` mentions a member, who is notified. Only personal keys may call it.',
  'reportComments.reply':
    'The writers of the report, everyone who commented in the thread and everyone you mention are notified. Only personal keys may call it.',
  'reportComments.resolve': 'Repeating the call is safe. Only personal keys may call it.',
  'reportComments.edit':
    'Only the author can edit a comment. People whom the new text also mentions are notified. Only personal keys may call it.',
  'reportComments.delete':
    'The author can delete a comment, and so can admins. If no other comment of the thread has text, the thread is deleted. Otherwise the comment stays in the thread without its text. Only personal keys may call it.',
  'reportPresence.announce':
    'Call it every 5 seconds while someone looks at the report. Others see the person until 15 seconds after the last call. Only members of the organization are listed, at most 50. Only personal keys may call it.',
  'labels.review':
    'Takes the filters of `GET /runs`, and at most 10,000 runs. A person has reviewed a run once they put a tag on the run itself. The agreement covers the runs that both reviewers tagged, with the set of tags as the category of a run; a κ is null if there are no such runs, or if both used one category for all of them. Without `first` and `second` it compares you with the busiest other reviewer.',
  ...operationsOfLists,
  ...operationsOfSchedules,
  'home.get':
    'One request for everything that changes on Home. Unchanged answers are 304 to a request with `if-none-match`. With `since`, the answer has `changes`: requests that finished, tests that flipped between the newest two versions, and saved queries and reports that somebody changed.',
  'experiments.list':
    'Values of one filter are alternatives; different filters must all match. A filter can be repeated or separated by commas.',
  'experiments.push':
    'Send the YAML as `text/yaml`, or JSON with the YAML in `experimentYaml`. The same definition and files always give the same version, so a repeated push creates nothing and returns `created: false`. Push a definition that needs files as JSON with its package, unless an equal version is already stored.',
  'experiments.get': 'Returns the latest version by default.',
  'experiments.versions': 'A version that is pushed again moves to the top and keeps its ordinal.',
  'experiments.yaml': 'Returns exactly the text that was pushed.',
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
  'runs.cancel': 'The id is that of a run request. Ended runs are not affected. Cost already incurred is not refunded.',
  'queries.experiment':
    'Send `sql`, or `metrics` with `groupBy`. SQL is one SELECT over the tables `runs`, `tests`, `turns`, `failures`, `outputs` and `labels`, which contain only rows of this experiment. Metrics do not count runs that infrastructure ended; `leftOutRuns` says how many there are. SQL sees these runs: add `infrastructure_cause IS NULL` to leave them out. With `dryRun`, nothing is executed. With `saveInsight`, the statement is saved after it succeeds.',
  'queries.organization':
    'Like the query of an experiment with `sql`, over the rows of every experiment. With `saveInsight`, the insight has no provenance.',
  'queries.run': 'Like the query of an experiment, over the rows of one run.',
  'failureSignatures.list':
    'Failures of tests, tool calls and runs are grouped by a signature: their message with everything that varies replaced by placeholders. Only runs that have ended count, without test-aware runs unless `include_test_aware` is set. Without `group_by`, groups are those of the axes that vary besides the prompt.',
  'failureSignatures.runs': 'Each run is listed once, with its first failure of the signature. Last ended first.',
  'outputMatches.list':
    'Finds a text in any case; it is not a pattern. A search reads runs from the one that ended last and takes about three seconds at most; a response with `nextPageToken` can be continued, and `searchedRuns` of `totalRuns` says how far it got. Reasoning is left out unless `include=reasoning`.',
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
  'reports.list': 'The list has no bodies; get them one by one.',
  'reports.create': 'Only the title is required.',
  'reports.get': 'Keep `updatedAt` for `expectedUpdatedAt` of your next change.',
  'reports.update': 'Fails with 409, and writes nothing, if somebody changed the report since you read it.',
  'reports.append':
    'Without `expectedUpdatedAt`, the text is appended even if the report has changed since you read it.',
  'reports.delete':
    'Images that no other report shows are deleted a day later. Insights and runs that the report cites are not.',
  'reportPublications.get': 'Everyone who can read the report can read this. `canPublish` is about the caller.',
  'reportPublications.publish':
    'The page shows `documentJson` under the title and the description of the report, to everyone who has its link. The document has what the author’s browser drew: elements, attributes and styles, each of them in a list of what is allowed. Images are served only if the document shows them. Publishing again updates the page and keeps its link. Fails with 409, and changes nothing, if somebody changed the report since `expectedUpdatedAt`. Only the creator of the report and admins may call it.',
  'reportPublications.revoke': 'The link stops working at once. Only the report’s creator and admins may call it.',
  'reportImages.add':
    'PNG, JPEG, WebP or GIF; the content decides, not a name. Exif with its location, comments and other metadata are removed; the orientation and the color profile are kept. The same image again is stored once. Show it in a report as `![Alt text](assay://images/<id>/<width>x<height>)`. An image that no report shows for a day is deleted.',
  'reportImages.get': 'The answer is the file, and never anything else than an image.',
  'reportFigures.add':
    'The answer has the time and the person, which the server sets. Put its `id` into the `pinned` line of a chart block. `resultsJson` is not checked, except that it is JSON. A figure that no report shows for a day is deleted; a person can have 200 of them.',
  'reportFigures.get': 'The data stays as it was, also if what it shows was deleted.',
  'notifications.list': 'Requires a personal key.',
  'notifications.read': 'Requires a personal key. Repeating the call is safe.',
  'notifications.listRpc': 'The same feed in RPC form. Requires a personal key.',
  'notifications.readRpc': 'The same action in RPC form. Requires a personal key.',
  'contextSuggestions.act':
    'One route with four actions. `snapshot` reads a record, `submit` suggests a change to it, `list` shows your suggestions, `withdraw` withdraws a pending one.',
  'legacyResults.list': 'For older clients only. New clients should use the query routes.',
  'legacyResults.get': 'For older clients only. New clients should use `GET /runs/{id}`.',
}

/** Path parameters, by operation first, then by name. */
export const pathParameterTexts: Readonly<Record<string, readonly [description: string, example: string]>> = {
  'experiments.id': ['The id of the experiment.', 'parse-roman'],
  'resources.id': ['The id of the experiment.', 'parse-roman'],
  'runs.submit.id': ['The id of the experiment.', 'parse-roman'],
  'runs.estimate.id': ['The id of the experiment.', 'parse-roman'],
  'runs.get.id': [
    'The composite id of a run, percent-encoded, or the UUID of a run request.',
    'careful~terse::1f0c2ab9',
  ],
  'runs.cancel.id': ['The UUID of a run request.', '019a1f2c-8f60-7000-8000-0000000000a1'],
  'queries.experiment.id': ['The id of the experiment.', 'parse-roman'],
  'queries.run.id': ['The composite id of a run, percent-encoded.', 'careful~terse::1f0c2ab9'],
  'failureSignatures.id': ['The id of the experiment.', 'parse-roman'],
  'outputMatches.id': ['The id of the experiment.', 'parse-roman'],
  signature: ['The id of the signature.', '9f2b6a01c3d4e5f6'],
  'tests.list.id': [
    'The composite id of a run, percent-encoded, or the UUID of a run request.',
    'careful~terse::1f0c2ab9',
  ],
  'changes.id': ['The composite id of a run, percent-encoded.', 'careful~terse::1f0c2ab9'],
  'runs.modelCalls.id': ['The composite id of a run, percent-encoded.', 'careful~terse::1f0c2ab9'],
  'labels.id': ['The composite id of a run, percent-encoded.', 'careful~terse::1f0c2ab9'],
  'tests.get.id': ['The composite id of a run, percent-encoded.', 'careful~terse::1f0c2ab9'],
  'network.get.id': ['The composite id of a run, percent-encoded.', 'careful~terse::1f0c2ab9'],
  'legacyResults.id': ['The composite id of a run, percent-encoded.', 'careful~terse::1f0c2ab9'],
  personId: ['The id of the person, as listed.', '019a1f2c-8f60-7000-8000-0000000000d1'],
  invitationId: ['The id of the invitation, as listed.', '019a1f2c-8f60-7000-8000-0000000000e1'],
  keyId: ['The id of the key, as listed.', '019a1f2c-8f60-7000-8000-0000000000c1'],
  resourceId: ['The id of the link.', '019a1f2c-8f60-7000-8000-000000000001'],
  name: ['The name of the test, percent-encoded.', 'parses MCMXC'],
  ref: ['The id of a saved query, or the reference of a chart, percent-encoded.', 'ins_01'],
  slug: ['The name of the secret.', 'openai'],
  reportId: ['The id of the report.', '019a1f2c-8f60-7000-8000-0000000000b1'],
  actionId: ['The id of the bulk action.', '019a1f2c-8f60-7000-8000-0000000000f3'],
  labelId: ['The id of the label, as listed.', '019a1f2c-8f60-7000-8000-0000000000f2'],
  viewId: ['The id of the saved view, as listed.', '019a1f2c-8f60-7000-8000-0000000000f1'],
  ...webhookPathParameters,
  ...schedulePathParameters,
  figureId: ['The id of the pinned figure.', '019a1f2c-8f60-7000-8000-0000000000b3'],
  threadId: ['The id of the comment thread.', '019a1f2c-8f60-7000-8000-0000000000b4'],
  commentId: ['The id of the comment.', '019a1f2c-8f60-7000-8000-0000000000b5'],
  imageId: ['The id of the image.', '019a1f2c-8f60-7000-8000-0000000000b2'],
}

/** Query parameters, by operation or noun first, then by name. */
export const queryParameterTexts: Readonly<Record<string, readonly [description: string, example: unknown]>> = {
  orgId: ['The organization. Required only if the key has access to several.', '019a1f2c-8f60-7000-8000-000000000001'],
  event: ['Only events of these kinds.', ['key.create']],
  outcome: ['Only events with this outcome.', 'accepted'],
  'audit.search': ['Text in the name of the actor or in the subject, in upper or lower case.', 'ada@lab.example'],
  'audit.since': ['Only events at or after this time.', '2026-03-01T00:00:00Z'],
  until: ['Only events before this time.', '2026-04-01T00:00:00Z'],
  'audit.export.format': ['The format of the file. The default is `csv`.', 'csv'],
  page: ['Only views of this page.', 'runs'],
  'labels.sort': ['Has no effect: a summary has no order.', '-createdAt'],
  'labels.first': ['The first reviewer.', '019a1f2c-8f60-7000-8000-0000000000d1'],
  'labels.second': ['The second reviewer.', '019a1f2c-8f60-7000-8000-0000000000d2'],
  'labels.blind': ['Hides labels of others until you have tagged the run.', true],
  tag: ['Tags on the run itself, in any spelling.', 'wrong api'],
  bulkAction: ['Only the runs of this bulk action.', '019a1f2c-8f60-7000-8000-0000000000f3'],
  'bulkActions.sort': ['Has no effect.', '-createdAt'],
  disputed: ['Only runs whose outcome someone disputes.', true],
  ...scheduleQueryParameters,
  'webhooks.state': ['Only deliveries in this state.', 'waiting'],
  'savedViews.experimentId': ['Only views of this experiment.', 'parse-roman'],
  search: ['Text that the name or the id contains, in upper or lower case.', 'roman'],
  owner: ['The email address or id of the creator.', 'ada@lab.example'],
  agent: ['Agents.', ['careful']],
  model: ['Models.', ['sonnet-4.5']],
  product: ['Products.', ['acme-sdk']],
  environment: ['Environments.', ['node24']],
  prompt: ['Prompts.', ['terse']],
  variant: ['Variant ids.', ['careful~sonnet-4.5~terse']],
  triggeredBy: ['Email addresses or ids of the submitters.', ['ada@lab.example']],
  status: ['Statuses of runs.', ['running']],
  since: ['Only items that changed at or after this time.', '2026-03-01T00:00:00Z'],
  limit: ['The largest number of rows to return.', 100],
  pageSize: ['The largest number of rows to return.', 50],
  pageToken: ['The `nextPageToken` of the previous page.', 'WyIyMDI2LTAzLTAxIiwxXQ'],
  cursor: ['The cursor of the next page, from the previous response.', 'WyIyMDI2LTAzLTAxIiwxXQ'],
  version: ['A version: its fingerprint, `v2`, or `latest`.', 'v2'],
  experimentId: ['Only runs of this experiment.', 'parse-roman'],
  changedSince: ['The `stamp` of the previous response. Returns only runs that changed since then.', '000001a4-1'],
  versionScope: ['`latest`, `all`, `v2` or a fingerprint. Requires an experiment.', 'latest'],
  testAware: ['Only runs that are, or are not, test-aware.', false],
  agentMode: ['Only runs of these agent modes.', ['plan']],
  withoutTestAware: ['Set it to true to leave out test-aware runs, as charts do.', true],
  timedOut: ['Only runs that did, or did not, reach their time limit.', true],
  planLimited: ['Only runs that the plan did, or did not, limit.', false],
  'runs.search': ['Text in the id, the variant, the prompt or the error, in upper or lower case.', 'refuses-iiii'],
  result: [
    'Only runs with one of these results. `passed`, `failed`, `unresolved`, `errored`, `skipped`: at least one test has this outcome. `solved`: at least one test passed, and none failed, errored or was unresolved. `unsolved`: some test did not pass, or the run errored. A canceled run and one without tests is neither.',
    ['solved'],
  ],
  infrastructureCause: ['Only runs that infrastructure ended with one of these causes. `any` is every cause.', ['any']],
  exitCode: ['Only runs whose agent exited with one of these codes. `nonzero` is every code but 0.', ['nonzero']],
  'changes.download.format': ['A patch, or an archive of the files.', 'patch'],
  path: ['The path of the file, as listed.', 'src/roman.mjs'],
  format: ['The format of the file. The default is `csv`.', 'csv'],
  'failureSignatures.groupBy': ['`variant`, an axis, or several axes joined by `~`.', 'agent~model'],
  groupValue: ['Only runs of this group.', 'careful~sonnet-4.5'],
  kind: ['Only signatures of these kinds.', ['message']],
  agents: ['Only runs of these agents.', ['careful']],
  agentModes: ['Only runs of these agent modes.', ['plan']],
  models: ['Only runs of these models.', ['sonnet-4.5']],
  products: ['Only runs of these products.', ['acme-sdk']],
  environments: ['Only runs of these environments.', ['node24']],
  promptIds: ['Only runs of these prompts.', ['terse']],
  fullPassOnly: ['Set it to true to select only runs in which no test failed.', false],
  includeTestAware: ['Set it to true to include test-aware runs.', true],
  'failureSignatures.version': [
    'A version: its fingerprint, `v2`, `latest` or `all`. Default: the latest with runs.',
    'all',
  ],
  'outputMatches.version': [
    'A version: its fingerprint, `v2`, `latest` or `all`. Default: the latest with runs.',
    'all',
  ],
  'outputMatches.search': ['The text to find, in upper or lower case; 2 to 200 characters.', 'econnrefused'],
  'outputMatches.include': ['`reasoning` also searches the reasoning turns.', ['reasoning']],
  source: ['Search only transcripts, or only the output of tests.', ['tests']],
  'runs.sort': [
    'The field that the list is sorted by, with `-` before it for descending order. Runs without a value come last in both directions. Equal runs are sorted by `createdAt` and id, in the same direction. Text is sorted by code point. `triggeredBy` sorts by name.',
    '-costUsd',
  ],
  runRequestId: ['Only runs of this request.', '019a1f2c-8f60-7000-8000-0000000000a1'],
  transcript: ['Set it to true to get the transcript too.', true],
  include: ['`reasoning` adds the reasoning turns to the transcript.', ['reasoning']],
  afterSeq: ['Only turns after this position. Requires `transcript=true`.', 120],
  'runs.get.limit': ['The largest number of turns.', 500],
  omitTails: ['Set it to true to leave out the tests’ output.', true],
  period: ['`current`, `previous`, or the month `YYYY-MM` in which the cycle started.', 'current'],
  groupBy: ['Group spend by experiment or by user.', 'experiment'],
  experiment: ['Only items of this experiment.', 'parse-roman'],
  user: ['Only spend of this person, by id or email address. Admins only.', 'ada@lab.example'],
  includeByok: ['Set it to true to add spend on own provider keys.', true],
  run: ['Only items of this run, by composite id.', 'careful~terse::1f0c2ab9'],
  label: ['Only those with this label.', 'weekly'],
  sqlOnly: ['Set it to true to get the SQL without executing it.', true],
  query: ['Text that the slug or the description contains.', 'openai'],
  slug: ['Only the secret with exactly this name.', 'openai'],
  unreadOnly: ['Set it to true to leave out entries that are marked as read.', true],
}
