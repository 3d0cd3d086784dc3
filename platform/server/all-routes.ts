import { contextRecordRoutes } from '#platform/context-records/routes.ts'
import { contextSuggestionRoutes } from '#platform/context-suggestions/routes.ts'
import { creditRoutes } from '#platform/credits/balance/routes.ts'
import { experimentRoutes } from '#platform/experiments/routes.ts'
import { failureSignatureRoutes } from '#platform/failure-signatures/routes.ts'
import { homeRoutes } from '#platform/home/routes.ts'
import { identityRoutes } from '#platform/identity/routes.ts'
import { insightRoutes } from '#platform/insights/routes.ts'
import { legacyResultRoutes } from '#platform/legacy-results/routes.ts'
import { notificationRoutes } from '#platform/notifications/routes.ts'
import { outputMatchRoutes } from '#platform/output-matches/routes.ts'
import { bulkActionRoutes } from '#platform/bulk-actions/routes.ts'
import { labelRoutes } from '#platform/labels/routes.ts'
import { modelCallRoutes } from '#platform/model-calls/routes.ts'
import { reportRoutes } from '#platform/reports/routes.ts'
import { queryRoutes } from '#platform/insights/queries/routes.ts'
import { runRoutes } from '#platform/runs/routes.ts'
import { reportCommentRoutes } from '#platform/report-comments/routes.ts'
import { reportSharingRoutes } from '#platform/reports/sharing/routes.ts'
import { reportPresenceRoutes } from '#platform/report-presence/routes.ts'
import { savedViewRoutes } from '#platform/saved-views/routes.ts'
import { scheduleRoutes } from '#platform/schedules/routes.ts'
import { sharingRoutes } from '#platform/insights/sharing/routes.ts'
import { secretRoutes } from '#platform/secrets/routes.ts'
import { apiKeyRoutes } from '#platform/identity/api-keys/routes.ts'
import { invitationRoutes } from '#platform/identity/invitations/routes.ts'
import { nameRoutes } from '#platform/identity/names/routes.ts'
import { memberRoutes } from '#platform/identity/members/routes.ts'
import { auditRoutes } from '#platform/audit/trail/routes.ts'
import { modelProviderRoutes } from '#platform/model-providers/routes.ts'
import { retentionRoutes } from '#platform/retention/routes.ts'
import { runPolicyRoutes } from '#platform/run-policies/routes.ts'
import { budgetRoutes } from '#platform/budgets/routes.ts'
import { usageRoutes } from '#platform/credits/usage/routes.ts'
import { changeRoutes } from '#platform/changes/routes.ts'
import { networkRoutes } from '#platform/network/routes.ts'
import { mailRoutes } from '#platform/mail/routes.ts'
import { webhookRoutes } from '#platform/webhooks/routes.ts'
import { testRoutes } from '#platform/captured-tests/routes.ts'

/** All routes of the platform: one per endpoint of the contract. */
export const allRoutes = [
  ...identityRoutes,
  ...homeRoutes,
  ...experimentRoutes,
  ...runRoutes,
  ...testRoutes,
  ...changeRoutes,
  ...modelCallRoutes,
  ...networkRoutes,
  ...queryRoutes,
  ...failureSignatureRoutes,
  ...outputMatchRoutes,
  ...creditRoutes,
  ...usageRoutes,
  ...budgetRoutes,
  ...runPolicyRoutes,
  ...retentionRoutes,
  ...modelProviderRoutes,
  ...insightRoutes,
  ...sharingRoutes,
  ...secretRoutes,
  ...reportRoutes,
  ...reportSharingRoutes,
  ...labelRoutes,
  ...bulkActionRoutes,
  ...reportCommentRoutes,
  ...reportPresenceRoutes,
  ...savedViewRoutes,
  ...scheduleRoutes,
  ...notificationRoutes,
  ...contextRecordRoutes,
  ...contextSuggestionRoutes,
  ...legacyResultRoutes,
  ...apiKeyRoutes,
  ...memberRoutes,
  ...invitationRoutes,
  ...nameRoutes,
  ...auditRoutes,
  ...webhookRoutes,
  ...mailRoutes,
]
