import type { FieldTexts } from './reference-text.ts'

/** Operations of email and the choices of notifications, beyond their summaries. */
export const operationsOfMail: Readonly<Record<string, string>> = {
  'notificationSettings.get':
    'Whether each type of notification appears in the app, and when it is emailed. The choices apply to all your organizations. Only personal keys may call it.',
  'notificationSettings.change':
    'Changes only the fields and types you send. Waiting notifications follow the new choices. Only personal keys may call it.',
  'notificationSettings.sendConfirmation':
    'The link expires in 24 hours and works only while you are signed in. At most 5 of these emails are sent in an hour. Only personal keys may call it.',
  'notificationSettings.confirm':
    'From then on notifications are sent to the address. The link must be for the address of the caller; a second call changes nothing. `timeZone` is that of the digest, if none was chosen before. Only personal keys may call it.',
  'notificationSettings.restart':
    'Sends waiting email at once. Changes nothing if your address was not refused. Only personal keys may call it.',
  'mail.get': 'The members are those of this organization. Admins only.',
  'mail.list': 'The emails about this organization, without their texts. They are kept for 30 days. Admins only.',
  'mail.test': 'Answers with what the server said. At most 5 are sent in an hour. Admins only, with a personal key.',
  'mail.restart': 'Sends waiting email at once. Changes nothing if the address was not refused. Admins only.',
}

/** Their query parameters. */
export const mailQueryParameters = { 'mail.state': ['Only emails in this state.', 'failed'] } as const

/** Their fields. */
export const mailFields: FieldTexts = {
  canSend: ['Whether the operator has set up a mail server.', true],
  emailAddress: ['Your email address.'],
  'EmailAddress.address': ['The email address.', 'ada@lab.example'],
  'EmailAddress.state': ['Whether email is sent to it.'],
  'EmailAddress.stoppedAt': [
    'When sending to it stopped. Absent unless it was refused.',
    '2026-03-02T08:30:00.000000Z',
  ],
  'EmailAddress.fault': ['What the mail server said.', '550 5.1.1 No such user'],
  digestHour: ['The hour of the digest on your clock, from 0 to 23.', 8],
  timeZone: ['The time zone of the digest.', 'Europe/Berlin'],
  nextDigestAt: ['When the next digest is due. Absent until the address is confirmed.', '2026-03-02T07:00:00.000000Z'],
  choices: ['The choice for every type.'],
  'NotificationSettingsChangeRequest.choices': ['The types to change; the others stay as they are.'],
  inApp: ['Whether it appears in the app.', true],
  'NotificationChoice.type': ['The type of notifications.', 'report.mentioned'],
  'NotificationChoice.email': ['When it is emailed.'],
  'NotificationSettingsChangeRequest.choices.type': ['The type of notifications.', 'report.mentioned'],
  'NotificationSettingsChangeRequest.choices.email': ['When it is emailed.'],
  'NotificationSettingsConfirmRequest.token': ['The token of the link.', 'WyIwMTlhMWYyYyJd.0f3c9b1e7a0f4a55.x'],
  isSent: ['Whether the mail server accepted it.', true],
  'MailAttempt.fault': ['What the mail server said. Absent if it accepted it.', '550 5.1.1 No such user'],
  from: ['The sender. Absent without a mail server.', 'Assay <assay@lab.example>'],
  failing: ['How many emails wait after a failed attempt.', 0],
  stopped: ['Members whose address was refused, to whom nothing is sent.'],
  'StoppedAddress.id': ['The id of the person.', '019a1f2c-8f60-7000-8000-0000000000a1'],
  'StoppedAddress.name': ['The name of the person.', 'Ada'],
  'StoppedAddress.email': ['The email address.', 'ada@lab.example'],
  'StoppedAddress.stoppedAt': ['When sending to it stopped.', '2026-03-02T08:30:00.000000Z'],
  'StoppedAddress.fault': ['What the mail server said.', '550 5.1.1 No such user'],
  emails: ['The emails, newest first.'],
  'MailLogEntry.to': ['The person to whom it was sent.'],
  'MailLogEntry.to.id': ['The id of the person.', '019a1f2c-8f60-7000-8000-0000000000a1'],
  'MailLogEntry.to.name': ['The name of the person.', 'Ada'],
  'MailLogEntry.to.email': ['The email address.', 'ada@lab.example'],
  'MailLogEntry.kind': ['What the email is about.'],
  'MailLogEntry.subject': ['Its subject.', 'Ben mentioned you in a comment on Findings'],
  'MailLogEntry.state': ['Whether it was sent.'],
  'MailLogEntry.sentAt': ['When the mail server accepted it.', '2026-03-01T12:00:01.000000Z'],
  'MailLogEntry.attempts': ['The number of attempts.', 1],
  lastAttemptAt: ['The time of the last attempt.', '2026-03-01T12:00:01.000000Z'],
  'MailLogEntry.fault': ['What the mail server said to the last attempt, if that failed.', '451 Try again later'],
}
