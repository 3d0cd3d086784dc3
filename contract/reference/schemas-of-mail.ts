import type { z } from 'zod'

import {
  EmailAddress,
  EmailAddressState,
  MailAttempt,
  MailKind,
  MailLog,
  MailLogEntry,
  MailOverview,
  MailState,
  NotificationSettings,
  StoppedAddress,
} from '#contract/mail.ts'
import { EmailTiming, NotificationChoice } from '#contract/notification-choices.ts'

/** The schemas of email and the choices of notifications. */
export const mailSchemas: Readonly<Record<string, readonly [schema: z.ZodType, description: string]>> = {
  EmailAddress: [EmailAddress, 'An email address, and whether email is sent to it.'],
  EmailAddressState: [
    EmailAddressState,
    'Nothing is sent to an `unconfirmed` address, nor to one that is `stopped` because a mail server refused it.',
  ],
  MailAttempt: [MailAttempt, 'What the mail server said to an email that was sent immediately.'],
  MailKind: [
    MailKind,
    '`event` has one notification, `summary` several of an hour, and `digest` those of a day. People ask for a `confirmation` and a `test`.',
  ],
  MailLog: [MailLog, 'A page of emails.'],
  MailLogEntry: [MailLogEntry, 'An email, without its text.'],
  MailOverview: [MailOverview, 'The state of email in the organization.'],
  MailState: [
    MailState,
    '`waiting` is tried again, `failed` was given up, and `canceled` was no longer wanted or its person left.',
  ],
  EmailTiming: [EmailTiming, '`now`: immediately. `digest`: once a day, with others. `off`: never.'],
  NotificationChoice: [NotificationChoice, 'How a person gets the notifications of a type.'],
  NotificationSettings: [NotificationSettings, 'How a person gets notifications.'],
  StoppedAddress: [StoppedAddress, 'A member whose address the mail server refused.'],
}
