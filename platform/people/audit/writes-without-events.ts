/**
 * Writes of the API and commands that leave no security event. Among them `demo remove`, which leaves the events of the
 * secrets and publications that it deletes.
 */
export const writesWithoutEvents = `
  experiments.push, packageFiles.findMissing, packageFiles.stage, experiments.fork, resources.add, resources.update, resources.delete, runs.submit,
  runs.estimate, runs.cancel, queries.experiment, queries.run, queries.organization, credits.reload, insights.create,
  insights.execute, insights.update, reports.create, reports.update, reports.append, reports.delete, reportVersions.restore,
  reportImages.add,
  reportFigures.add,
  labels.add, labels.change, bulkActions.propose, bulkActions.stop,
  imports.create, imports.addFiles, imports.preview, imports.start, imports.delete,
  reportComments.start, reportComments.reply, reportComments.resolve, reportComments.decide, reportComments.edit,
  reportPresence.announce, webhooks.test, webhooks.sendAgain,
  notificationSettings.change, notificationSettings.sendConfirmation, mail.test, send-test-email,
  savedViews.create, savedViews.update, savedViews.mark, savedViews.delete,
  schedules.start, schedules.accept,
  notifications.read, notifications.listRpc, notifications.readRpc, contextSuggestions.act, member list,
  key list, invite list, files stage, import, import-tasks, reindex, audit list, plan set, plan show, credits grant,
  credits payments, credits decide, context enable, context seed, context list,
  context suggestions, context show, run-policy show, retention.preview, retention show,
  retention preview, announce, demo remove`
  .split(',')
  .map((name) => name.trim())
