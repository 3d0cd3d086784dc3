/** What the summaries of the operations on reports leave out. */
export const operationsOfReports: Readonly<Record<string, string>> = {
  'reportComments.list':
    'Everyone who can read the report can read its comments. Unchanged answers are 304 to a request with `if-none-match`. Comments never change the `updatedAt` of the report.',
  'reportComments.start':
    'Send the text of a paragraph as `quote`, or its first 2,000 characters, and where it starts. The comment then follows the paragraph through edits. A link to `assay://people/<id>` mentions a member, who is notified. Only personal keys may call it.',
  'reportComments.reply':
    'The writers of the report, everyone who commented in the thread and everyone you mention are notified. Only personal keys may call it.',
  'reportComments.resolve': 'Repeating the call is safe. Only personal keys may call it.',
  'reportComments.decide':
    'Accepting writes the suggested text into the report, as a change by you, and resolves the thread. Fails with 409 like a change of the report, and with `failed_precondition` if the paragraph no longer has the text that it had when the other one was suggested. A suggestion is decided once. Only personal keys may call it.',
  'reportComments.edit':
    'Only the author can edit a comment. People whom the new text also mentions are notified. Only personal keys may call it.',
  'reportComments.delete':
    'The author can delete a comment, and so can admins. If no other comment of the thread has text, the thread is deleted. Otherwise the comment stays in the thread without its text. Only personal keys may call it.',
  'reportPresence.announce':
    'Call it every 5 seconds while someone looks at the report. Others see the person until 15 seconds after the last call. Only members of the organization are listed, at most 50. Only personal keys may call it.',
  'reports.list': 'The list has no bodies; get them one by one.',
  'reports.create': 'Only the title is required.',
  'reports.get': 'Keep `updatedAt` for `expectedUpdatedAt` of your next change.',
  'reports.update': 'Fails with 409, and writes nothing, if somebody changed the report since you read it.',
  'reports.append':
    'Without `expectedUpdatedAt`, the text is appended even if the report has changed since you read it.',
  'reports.delete':
    'Images that no other report shows are deleted a day later. Insights and runs that the report cites are not.',
  'reportVersions.list':
    'Saves of one person within 10 minutes are one version. A report keeps 100 versions and 10,000,000 bytes of text; beyond that, the older ones that are nearest to each other in time are deleted.',
  'reportVersions.get': 'The newest version is the current text.',
  'reportVersions.restore': 'The restored text is a new version. Fails with 409 like a change of the report.',
  'reportPublications.get': 'Everyone who can read the report can read this. `canPublish` is about the caller.',
  'reportPublications.publish':
    'The page shows `documentJson` under the title and the description of the report, to everyone who has its link. The document has what the author’s browser drew: elements, attributes and styles, each of them in a list of what is allowed. Images are served only if the document shows them. Publishing again updates the page and keeps its link. Fails with 409, and changes nothing, if somebody changed the report since `expectedUpdatedAt`. Only the creator of the report and admins may call it.',
  'reportPublications.revoke': 'The link stops working at once. Only the report’s creator and admins may call it.',
  'reportImages.add':
    'PNG, JPEG, WebP or GIF; the content decides, not a name. Exif with its location, comments and other metadata are removed; the orientation and the color profile are kept. The same image again is stored once. Show it in a report as `![Alt text](assay://images/<id>/<width>x<height>)`. An image that no report shows for a day is deleted.',
  'reportImages.get': 'The answer is the file, and never anything else than an image.',
  'reportFigures.add':
    'The answer has the time and the person, which the server sets. Put its `id` into the `pinned` line of a chart block. `resultsJson` is not checked, except that it is JSON. A figure that no report shows for a day is deleted; a person can have 200 of them.',
  'reportFigures.get': 'The data stays as it was, even if what it shows was deleted.',
}
