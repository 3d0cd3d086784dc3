import type { FieldTexts } from './reference-text.ts'

export const budgetFields: FieldTexts = {
  budgets: ['The budgets: that of the organization first, then those of people and of experiments.'],
  monthEndsAt: ['When the month ends (UTC).', '2026-04-01T00:00:00.000000Z'],
  'Budget.scope': ['Whose runs it counts.', 'organization'],
  'BudgetsPutRequest.scope': ['Whose runs it counts.', 'organization'],
  'Budget.key': ['The id of the person or the experiment. Empty for the organization.', ''],
  'BudgetsPutRequest.key': ['The id of the person or the experiment. Leave it out for the organization.', ''],
  'Budget.label': ['The name of the person or the experiment. Empty for the organization.', ''],
  monthlyLimitUsd: ['The most that the runs of a calendar month (UTC) may cost, in US dollars.', 500],
  isHard: ['Whether it refuses new runs that it does not cover. Otherwise it only warns.', true],
  warnAtPercent: ['The percentage of the limit at which admins are warned. They are warned again at the limit.', 80],
  spentUsd: ['What the runs that ended this month have cost, in US dollars, on all keys.', 120.5],
  reservedUsd: ['What is reserved for runs that have not ended, in US dollars.', 3.2],
  forecastUsd: ['What the month will cost if it goes on like the last seven days, in US dollars.', 310],
}
