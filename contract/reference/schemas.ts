import type { z } from 'zod'

import { ApiKey, ApiKeyList, NewApiKey } from '#contract/api-keys.ts'
import { AuditEntry, AuditEntryList } from '#contract/audit.ts'
import { ChangedFile, ChangedFileContents, FileChange, FileContent, FileState, RunChanges } from '#contract/changes.ts'
import { ChartKind } from '#contract/chart-kinds.ts'
import { ResultView } from '#contract/charts.ts'
import { contextSchemas } from './schemas-of-context.ts'
import { ExperimentId } from '#contract/experiment-id.ts'
import { ErrorBody } from '#contract/errors.ts'
import {
  Experiment,
  ExperimentList,
  ExperimentSummary,
  ExperimentVersion,
  Fingerprint,
  PushReceipt,
  VersionFile,
} from '#contract/experiments.ts'
import {
  FailedRun,
  FailedRunList,
  FailureExample,
  FailureKind,
  FailureSignature,
  FailureSignatureList,
} from '#contract/failure-signatures.ts'
import { FinishedRequest, FlippedTest, HomeView, UnfinishedRequest } from '#contract/home.ts'
import { Actor, KeyKind, Organization, Role, SandboxStatus, WhoAmI } from '#contract/identity.ts'
import { DataSchema, Presentation, Provenance } from '#contract/insight-fields.ts'
import { ChartInsight, InsightList, InsightView, Publication, SqlInsight } from '#contract/insights.ts'
import { LegacyResult, LegacyResultDetail, LegacyResultList } from '#contract/legacy-results.ts'
import { Invitation, InvitationList, InvitationView, JoinedWithNewKey, NewInvitation } from '#contract/invitations.ts'
import { OrganizationDetails } from '#contract/names.ts'
import { Member, MemberList } from '#contract/members.ts'
import { HostTraffic, RunNetwork, RunService } from '#contract/network.ts'
import { NotificationEntry, NotificationFeed } from '#contract/notifications.ts'
import { Outcome, OutcomeCounts } from '#contract/outcomes.ts'
import { OutputMatch, OutputMatchList, OutputSource } from '#contract/output-matches.ts'
import { ReportWithText, RunWithText, TextSearch } from '#contract/text-search.ts'
import { Dimension, Discovered, Metric, QueryEstimate, QueryResult, ResultColumn } from '#contract/queries.ts'
import { ReportFigure } from '#contract/report-figures.ts'
import { ReportPublication } from '#contract/report-publications.ts'
import { ReportVersion } from '#contract/report-versions.ts'
import { ReportImage } from '#contract/report-images.ts'
import { Report, ReportList, ReportWithBody } from '#contract/reports.ts'
import { ExperimentResource, NewResource } from '#contract/resources.ts'
import { RunStatus } from '#contract/run-status.ts'
import { RunEstimate, SubmitReceipt } from '#contract/run-submission.ts'
import {
  CancelReceipt,
  CostLimitScope,
  Guidance,
  ModelUse,
  Run,
  RunDetail,
  RunOrRequest,
  RunRequest,
  SpendKind,
  StatusChange,
  StatusCounts,
} from '#contract/runs.ts'
import { ModelCall, ModelCallApi, ModelCallList, TokenSource } from '#contract/model-calls.ts'
import { taskSchemas } from './reference-of-tasks.ts'
import { importSchemas } from './reference-of-imports.ts'
import { BulkAction, BulkActionKind, BulkActionList, BulkActionState, RerunChoice } from '#contract/bulk-actions.ts'
import { ClaimedOutcome, Label, LabelKind, LabelList, TagUse } from '#contract/labels.ts'
import {
  Agreement,
  Kappa,
  KappaInterval,
  KappaIntervals,
  ReviewSummary,
  TagAgreement,
  TagPair,
} from '#contract/reviews.ts'
import { RunList } from '#contract/run-list.ts'
import { ReportComment, ReportThread, Suggestion } from '#contract/report-comments.ts'
import { PersonHere } from '#contract/report-presence.ts'
import { SavedView, SavedViewList, SavedViewPage } from '#contract/saved-views.ts'
import { GateResult, GateVerdict } from '#contract/schedule-gate.ts'
import { Schedule, ScheduleList, ScheduleStart, ScheduleStartList, ScheduleTrigger } from '#contract/schedules.ts'
import { SecretReference } from '#contract/secret-references.ts'
import { Secret, SecretList } from '#contract/secrets.ts'
import { creditSchemas } from './schemas-of-credits.ts'
import { webhookSchemas } from './schemas-of-webhooks.ts'
import { mailSchemas } from './schemas-of-mail.ts'
import { runPolicySchemas } from './schemas-of-run-policies.ts'
import { partingSchemas } from './reference-of-partings.ts'
import { spanSchemas } from './reference-of-spans.ts'
import { transcriptSchemas } from './schemas-of-transcripts.ts'
import { Decision, DecisionDesign, DecisionLook, UntilDecided, Verdict } from '#contract/until-decided.ts'
import { Axes, Variant } from '#contract/variants.ts'

/** The schemas that the OpenAPI document shares by name, with their descriptions. */
export const namedSchemas: Readonly<Record<string, readonly [schema: z.ZodType, description: string]>> = {
  ApiKey: [ApiKey, 'The metadata of an API key, without its secret value.'],
  ApiKeyList: [ApiKeyList, 'A page of API keys.'],
  Actor: [Actor, 'A person, or an API key that no person owns.'],
  Axes: [Axes, 'The values of each axis.'],
  ...creditSchemas,
  AuditEntry: [AuditEntry, 'An event of the audit log.'],
  AuditEntryList: [AuditEntryList, 'A page of the audit log.'],
  CancelReceipt: [CancelReceipt, 'The result of a cancellation.'],
  ChartInsight: [ChartInsight, 'A built-in chart of an experiment.'],
  ChartKind: [ChartKind, 'The built-in charts: test heatmap, quality against cost, and one metric.'],
  ...contextSchemas,
  Decision: [Decision, 'How far a request is from its decision.'],
  DecisionDesign: [DecisionDesign, 'How a request stops when its question is decided.'],
  DecisionLook: [DecisionLook, 'What is known after so many complete prompts.'],
  UntilDecided: [UntilDecided, 'A question that ends a request when it is decided.'],
  Verdict: [Verdict, 'What a request found.'],
  CostLimitScope: [
    CostLimitScope,
    'What limits the cost: the definition for each run, or the budget of the submission.',
  ],
  DataSchema: [DataSchema, 'The data schema of a query. `legacy` can be saved but not executed.'],
  Dimension: [Dimension, 'A dimension to group results by.'],
  BulkAction: [BulkAction, 'An action on many runs.'],
  BulkActionKind: [BulkActionKind, 'Kinds of bulk actions.'],
  BulkActionList: [BulkActionList, 'The newest bulk actions.'],
  BulkActionState: [BulkActionState, 'The states of a bulk action.'],
  ...importSchemas,
  ...taskSchemas,
  RerunChoice: [RerunChoice, 'Which ended runs run again.'],
  Label: [Label, 'What a person says about a run, one of its tests, or a turn of its transcript.'],
  LabelKind: [LabelKind, 'Kinds of labels.'],
  LabelList: [LabelList, 'The labels of a run.'],
  ClaimedOutcome: [ClaimedOutcome, 'The outcome that a person claims.'],
  TagUse: [TagUse, 'A tag of the organization.'],
  Agreement: [Agreement, 'How well two reviewers agree.'],
  Kappa: [Kappa, 'Cohen’s κ, with what it is computed from.'],
  KappaInterval: [KappaInterval, 'A 95 % confidence interval of Cohen’s κ.'],
  KappaIntervals: [KappaIntervals, 'The intervals of Cohen’s κ, for two scopes.'],
  ReviewSummary: [ReviewSummary, 'The progress of a review.'],
  TagAgreement: [TagAgreement, 'How well two reviewers agree on one tag.'],
  TagPair: [TagPair, 'Tags that the two reviewers put on the same runs.'],
  Discovered: [Discovered, 'Dimensions and metrics, or the values of one dimension.'],
  Error: [ErrorBody, 'The body of every error.'],
  Experiment: [Experiment, 'An experiment in detail.'],
  ExperimentId: [ExperimentId, 'Kebab-case, at most 100 characters.'],
  ExperimentList: [ExperimentList, 'A page of experiments.'],
  ExperimentResource: [ExperimentResource, 'A link of an experiment.'],
  ExperimentSummary: [ExperimentSummary, 'An experiment in a list.'],
  ExperimentVersion: [ExperimentVersion, 'A stored version of an experiment.'],
  FailedRun: [FailedRun, 'A run with a failure.'],
  ChangedFile: [ChangedFile, 'A file of a workspace that an agent changed, or an artifact.'],
  ChangedFileContents: [ChangedFileContents, 'The content of a changed file before and after the agent.'],
  FileChange: [FileChange, 'What happened to a file.'],
  FileContent: [FileContent, 'The content of a file or the target of a link.'],
  FileState: [FileState, 'A file before or after the agent.'],
  RunChanges: [RunChanges, 'What the agent of a run changed in its workspace.'],
  FailedRunList: [FailedRunList, 'A page of runs with one failure signature.'],
  FailureExample: [FailureExample, 'One failure, with what was printed.'],
  FailureKind: [
    FailureKind,
    'What a signature is made of: the message of a failed test; the name, and the exit code, of a failed test without a message; the last failed tool call of a failed run; the exit code of the agent; a time limit; an error of the run.',
  ],
  FailureSignature: [FailureSignature, 'Failures with one cause.'],
  FailureSignatureList: [FailureSignatureList, 'The failures of an experiment’s runs by signature.'],
  Fingerprint: [Fingerprint, 'SHA-256 in 64 lower-case hex characters.'],
  FinishedRequest: [FinishedRequest, 'A run request whose runs have all ended.'],
  FlippedTest: [FlippedTest, 'A test that changed between two versions.'],
  Guidance: [Guidance, 'Advice about a limit that was reached.'],
  HomeView: [HomeView, 'What runs, what changed and what needs attention.'],
  HostTraffic: [HostTraffic, 'What one attempt of a run exchanged with one host and port.'],
  InsightList: [InsightList, 'A page of insights.'],
  InsightView: [InsightView, 'An insight with its result.'],
  KeyKind: [KeyKind, 'Whether a key belongs to a person or to an organization.'],
  LegacyResult: [LegacyResult, 'An ended run in the format for older clients.'],
  LegacyResultDetail: [LegacyResultDetail, 'An ended run with its tests, in the format for older clients.'],
  LegacyResultList: [LegacyResultList, 'A page of ended runs, in the format for older clients.'],
  Invitation: [Invitation, 'An open invitation.'],
  InvitationList: [InvitationList, 'The open invitations of the organization.'],
  InvitationView: [InvitationView, 'An invitation, as the invited person sees it.'],
  JoinedWithNewKey: [JoinedWithNewKey, 'A new member with their first API key.'],
  NewInvitation: [NewInvitation, 'A new invitation.'],
  OrganizationDetails: [OrganizationDetails, 'The organization of the request.'],
  Member: [Member, 'A member of the organization.'],
  MemberList: [MemberList, 'A page of members.'],
  Metric: [Metric, 'A metric to compute for each group.'],
  ModelCall: [ModelCall, 'One call of a run to a model, as the model gateway saw it.'],
  ModelCallApi: [ModelCallApi, 'The APIs of providers. `count` and `models` calls are free.'],
  ModelCallList: [ModelCallList, 'A page of model calls.'],
  ModelUse: [ModelUse, 'What the model gateway measured, beside what the agent reported.'],
  NewApiKey: [NewApiKey, 'A new API key.'],
  NewResource: [NewResource, 'A link to add.'],
  NotificationEntry: [NotificationEntry, 'One notification.'],
  NotificationFeed: [NotificationFeed, 'A page of notifications.'],
  Organization: [Organization, 'An organization and the caller’s role in it.'],
  Outcome: [Outcome, 'The outcome of a test.'],
  OutcomeCounts: [OutcomeCounts, 'The number of tests by outcome.'],
  OutputMatch: [
    OutputMatch,
    'A turn, an output stream of a test, or the reason of a run’s status, that contains the searched text.',
  ],
  OutputMatchList: [OutputMatchList, 'A page of matches.'],
  OutputSource: [OutputSource, 'What a search of output reads.'],
  Presentation: [Presentation, 'How a result is drawn.'],
  Provenance: [Provenance, 'Where an insight comes from.'],
  Publication: [Publication, 'The public link of an insight.'],
  PushReceipt: [PushReceipt, 'The version that a push found or created.'],
  QueryEstimate: [QueryEstimate, 'The amount that a statement would read.'],
  QueryResult: [QueryResult, 'The result of a query.'],
  Report: [Report, 'A report without its body.'],
  ReportVersion: [ReportVersion, 'A version of a report, without its text.'],
  ReportPublication: [ReportPublication, 'The public page of a report.'],
  ReportFigure: [ReportFigure, 'The data of a pinned figure of a report.'],
  ReportImage: [ReportImage, 'An image of a report.'],
  ReportList: [ReportList, 'A page of reports.'],
  ReportWithBody: [ReportWithBody, 'A report with its body.'],
  ResultColumn: [ResultColumn, 'A column of a result.'],
  ResultView: [ResultView, 'The form of a chart’s data.'],
  ReportWithText: [ReportWithText, 'A report that has the searched text.'],
  RunWithText: [RunWithText, 'A run that has the searched text.'],
  TextSearch: [TextSearch, 'What has a text, and what was searched.'],
  Role: [Role, 'A role in an organization. A `viewer` reads and comments.'],
  Run: [Run, 'A run in a list.'],
  RunService: [RunService, 'A service that ran beside the agent of a run.'],
  RunNetwork: [RunNetwork, 'What a run may reach, and what it reached.'],
  RunDetail: [RunDetail, 'A run in detail.'],
  RunEstimate: [RunEstimate, 'The credit that a submission would reserve.'],
  RunList: [RunList, 'A page of runs.'],
  RunOrRequest: [RunOrRequest, 'A run, or the roll-up of a run request.'],
  RunRequest: [RunRequest, 'The roll-up of a run request.'],
  RunStatus: [RunStatus, 'The status of a run. The last three are final.'],
  SandboxStatus: [SandboxStatus, 'Whether real runs can be executed.'],
  ReportComment: [ReportComment, 'A comment in a thread.'],
  Suggestion: [Suggestion, 'Another text for a paragraph of a report.'],
  ReportThread: [ReportThread, 'Comments on one paragraph of a report.'],
  PersonHere: [PersonHere, 'Somebody else who has a report open.'],
  SavedView: [SavedView, 'The filters and the order of a page under a name.'],
  SavedViewList: [SavedViewList, 'A page of saved views.'],
  SavedViewPage: [SavedViewPage, 'The pages whose filters can be saved.'],
  ...runPolicySchemas,
  Schedule: [Schedule, 'A submission that the platform repeats.'],
  ScheduleList: [ScheduleList, 'A page of schedules.'],
  ScheduleTrigger: [ScheduleTrigger, 'When a schedule starts.'],
  ScheduleStart: [ScheduleStart, 'What a schedule started, or why it did not.'],
  ScheduleStartList: [ScheduleStartList, 'A page of starts.'],
  GateResult: [GateResult, 'The solved rate of a start compared with an earlier one.'],
  GateVerdict: [GateVerdict, 'Whether the solved rate dropped by more than chance.'],
  Secret: [Secret, 'A secret without its value.'],
  SecretList: [SecretList, 'A page of secrets.'],
  SecretReference: [SecretReference, 'A reference to a secret in a definition.'],
  SpendKind: [SpendKind, 'Who pays the model provider.'],
  SqlInsight: [SqlInsight, 'A saved query, without its SQL.'],
  StatusChange: [StatusChange, 'A status in the history of a run.'],
  StatusCounts: [StatusCounts, 'The number of runs by status.'],
  SubmitReceipt: [SubmitReceipt, 'The run request that was created.'],
  TokenSource: [
    TokenSource,
    '`provider`: the provider named all tokens. `estimated`: the answer was cut before that. `none`: nothing was generated.',
  ],
  ...partingSchemas,
  ...spanSchemas,
  ...transcriptSchemas,
  UnfinishedRequest: [UnfinishedRequest, 'A run request with runs that have not ended.'],
  Variant: [Variant, 'One combination of axis values.'],
  VersionFile: [VersionFile, 'A file of a version’s package.'],
  ...webhookSchemas,
  ...mailSchemas,
  WhoAmI: [WhoAmI, 'Who the key acts as, and what it has access to.'],
}
