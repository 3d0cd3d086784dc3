import type { z } from 'zod'

import {
  Import,
  ImportColumn,
  ImportFormat,
  ImportLeftOut,
  ImportList,
  ImportNames,
  ImportPreview,
  ImportState,
  ImportTable,
} from '#contract/imports.ts'
import type { FieldTexts } from './reference-text.ts'

const uuid = '019a1f2c-8f60-7000-8000-0000000000d1'

export const importSchemas: Readonly<Record<string, readonly [schema: z.ZodType, description: string]>> = {
  Import: [Import, 'Results of other tools that come into an experiment.'],
  ImportColumn: [ImportColumn, 'What a column of a table says of a run.'],
  ImportFormat: [ImportFormat, 'Formats of results.'],
  ImportLeftOut: [ImportLeftOut, 'Something that an import leaves out.'],
  ImportList: [ImportList, 'The newest imports.'],
  ImportNames: [ImportNames, 'The names of an axis.'],
  ImportPreview: [ImportPreview, 'What an import will make.'],
  ImportState: [ImportState, 'The states of an import.'],
  ImportTable: [ImportTable, 'A table among the files.'],
}

export const importOperations: Readonly<Record<string, string>> = {
  'imports.create':
    'Then add its files, read them for a preview, and start it. One that is not started is only for you and lasts for a day, and your newest 5 are kept. Only personal keys may call it.',
  'imports.list': 'The newest 20 of everybody.',
  'imports.get': 'Poll it while the platform reads, imports or undoes.',
  'imports.addFiles':
    'Files keep the paths that they had in their folder, or are archives: zip, tar, tar.gz. Each request has at most 500 parts with 3 MB together. A larger file comes as several parts, in order, each with its `offset`; the same part again changes nothing. An import has at most 50,000 files and 2 GB. Links in archives are left out. Only personal keys may call it.',
  'imports.preview':
    'The platform recognizes each file by its content. `format` reads everything as one format instead, `columns` says what the columns of tables mean, and `pattern` how paths of JUnit reports name runs: `{agent}/{model}/{prompt}-{repeat}.xml`. Without `columns`, tables get those of the last import with the same columns. Only personal keys may call it.',
  'imports.start':
    'The platform works in the background, and continues after a kill. Runs that an earlier import made are not doubled. One that failed can be started again. Only personal keys may call it.',
  'imports.undo':
    'Removes the runs that this import made, and their tests, transcripts and labels. The version and the experiment go too if the import made them and nothing else uses them. For the person who started it and for admins. Only personal keys may call it.',
  'imports.delete': 'Only personal keys may call it.',
}

export const importFields: FieldTexts = {
  imports: ['The imports, newest first.'],
  'Import.id': ['The id of the import.', uuid],
  'Import.state': ['What the import is doing.', 'ready'],
  'Import.stateReason': ['Why it failed. Absent otherwise.', 'The person who started it is no longer a member'],
  'Import.endedAt': ['When it ended. Absent before.', '2026-03-02T08:30:00.000000Z'],
  'Import.files': ['How many files were added.', 12],
  'Import.bytes': ['The size of the files.', 480_000],
  'Import.format': ['The only format that was looked for. Absent if the content decides.', 'harbor'],
  'Import.pattern': ['How paths of JUnit reports name runs.', '{agent}/{prompt}.xml'],
  'Import.columns': ['What columns of tables mean, as a person said.'],
  'Import.preview': ['What it will make. Absent before it was read.'],
  'Import.experimentId': ['The experiment of its runs. Absent before the start.', 'terminal-tasks'],
  isNew: ['Whether it created the experiment.', true],
  'Import.progress': ['Runs, while it is running or undoing.'],
  'Import.progress.done': ['Runs that are done.', 40],
  'Import.progress.total': ['All runs.', 120],
  'Import.result': ['What it made. Absent before it is done.'],
  imported: ['How many runs it made.', 118],
  alreadyImported: ['How many runs an earlier import had made.', 2],
  note: ['What an undo could not remove, and why.', 'The experiment is still there, because it has other runs.'],
  'ImportLeftOut.file': ['The file, or the files.', 'job/notes.txt'],
  'ImportLeftOut.reason': ['Why it is left out.', 'no known format of results'],
  'ImportLeftOut.count': ['How many, if there are several. 0 for a note about something that comes in.', 3],
  'ImportNames.count': ['How many different names.', 2],
  names: ['The first 30.', ['claude-code', 'codex']],
  'ImportColumn.field': [
    'What it says: agent, model, prompt, promptText, repeat, outcome, score, score:name, cost, seconds, milliseconds, inputTokens, outputTokens, output, reason, startedAt or endedAt.',
    'agent',
  ],
  'ImportColumn.column': ['The name of the column. Empty if no column says it.', 'assistant'],
  'ImportTable.file': ['The table.', 'results.csv'],
  isRead: ['False if nobody said how its runs ended, so that it is left out.', true],
  'ImportTable.columns': ['The names of its columns.', ['assistant', 'case', 'passed']],
  'ImportTable.mapping': ['What the columns say.'],
  'ImportTable.rows': ['The first rows.', [['claude-code', 'sort', 'true']]],
  'ImportPreview.formats': ['Runs by the tool that made them.'],
  'ImportPreview.formats.title': ['The tool.', 'Harbor'],
  'ImportPreview.formats.runs': ['How many runs.', 120],
  'ImportPreview.runs': ['How many runs.', 120],
  'ImportPreview.agents': ['Agents.'],
  'ImportPreview.models': ['Models.'],
  'ImportPreview.prompts': ['Prompts, tasks or cases.'],
  'ImportPreview.solved': ['How many runs are solved.', 70],
  'ImportPreview.tests': ['How many tests the runs have.', 480],
  'ImportPreview.scores': ['How many scores the runs have.', 120],
  'ImportPreview.transcripts': ['How many runs have a transcript.', 118],
  'ImportPreview.leftOut': ['What is left out, and why.'],
  'ImportPreview.tables': ['The tables among the files.'],
  'ImportPreview.experimentId': ['An id for a new experiment that is free.', 'terminal-tasks'],
  'ImportPreview.experimentName': ['A name for a new experiment.', 'terminal-tasks'],
  'Import.result.leftOut': ['What was left out, and why.'],
  'ImportsAddFilesRequest.parts': ['Files, or parts of them.'],
  'ImportsAddFilesRequest.parts.path': ['The path of the file in its folder.', 'job/trial/result.json'],
  'ImportsAddFilesRequest.parts.offset': ['Where the part starts in its file.', 0],
  'ImportsAddFilesRequest.parts.bytes': ['The size of the part.', 2],
  'ImportsAddFilesRequest.content': ['The bytes of all parts, one after the other, as base64.', 'e30='],
  'ImportsPreviewRequest.format': ['The only format to look for.', 'table'],
  'ImportsPreviewRequest.pattern': ['How paths of JUnit reports name runs.', '{agent}/{prompt}.xml'],
  'ImportsPreviewRequest.columns': ['What columns of tables mean.'],
  'ImportsStartRequest.experimentId': ['The experiment.', 'terminal-tasks'],
  'ImportsStartRequest.experimentName': [
    'The name of a new experiment. Without it, the experiment must exist.',
    'Terminal tasks',
  ],
}
