import type { z } from 'zod'

import {
  BucketKind,
  Bucket,
  CheckoutSession,
  CreditBalance,
  CreditSpend,
  Period,
  SpendRow,
  TopUp,
} from '#contract/credits.ts'
import { Payment, PaymentList, PaymentReceipt } from '#contract/payments.ts'
import { Usage, UsageCost, UsageGroupBy, UsagePeriod, UsageRow, UsageSegment, UsageSums } from '#contract/usage.ts'
import { Budget, BudgetList, BudgetScope } from '#contract/budgets.ts'

/** The schemas of credit, payments, usage and budgets. */
export const creditSchemas: Readonly<Record<string, readonly [schema: z.ZodType, description: string]>> = {
  Bucket: [Bucket, 'Credit of one kind with one expiry time.'],
  BucketKind: [BucketKind, 'Kinds of credit, in the order they are spent.'],
  CheckoutSession: [CheckoutSession, 'A hosted payment page.'],
  CreditBalance: [CreditBalance, 'The credit of an organization.'],
  CreditSpend: [CreditSpend, 'The cost of the runs of a billing cycle.'],
  Period: [Period, 'A billing cycle.'],
  Payment: [Payment, 'A top-up and who opened it.'],
  PaymentList: [PaymentList, 'A page of payments.'],
  PaymentReceipt: [PaymentReceipt, 'Where Stripe shows an invoice or a receipt.'],
  Usage: [Usage, 'What the runs of a period have cost.'],
  UsageCost: [UsageCost, 'Runs and their cost.'],
  UsageGroupBy: [UsageGroupBy, 'What usage is summed by.'],
  UsagePeriod: [UsagePeriod, 'A billing cycle, or the last 30 days.'],
  UsageRow: [UsageRow, 'The usage of one value of the grouping.'],
  UsageSegment: [UsageSegment, 'One row’s share of an interval.'],
  UsageSums: [UsageSums, 'Runs, their cost and their tokens.'],
  Budget: [Budget, 'What runs may cost in a month.'],
  BudgetList: [BudgetList, 'All budgets.'],
  BudgetScope: [BudgetScope, 'Whose runs a budget counts.'],
  SpendRow: [SpendRow, 'Spend of one experiment or user.'],
  TopUp: [TopUp, 'A payment.'],
}
