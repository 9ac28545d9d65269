import type { AuditEntry } from '../../../server/contract/rooms.ts';
import { m } from '../../paraglide/messages.js';

export const AUDIT_WORDS: Readonly<Record<string, () => string>> = {
  'announcement.changed': m.leader_audit_announcement_changed,
  'announcement.posted': m.leader_audit_announcement_posted,
  'announcement.retracted': m.leader_audit_announcement_retracted,
  'api_key.made': m.leader_audit_api_key_made,
  'api_key.ended': m.leader_audit_api_key_ended,
  'appeal.granted': m.leader_audit_appeal_granted,
  'appeal.refused': m.leader_audit_appeal_refused,
  'board.opened': m.leader_audit_board_opened,
  'board.hidden': m.leader_audit_board_hidden,
  'board.frozen': m.leader_audit_board_frozen,
  'campaign.changed': m.leader_audit_campaign_changed,
  'campaign.sent': m.leader_audit_campaign_sent,
  'campaign.scheduled': m.leader_audit_campaign_scheduled,
  'campaign.tested': m.leader_audit_campaign_tested,
  'campaign.cancelled': m.leader_audit_campaign_cancelled,
  'claim.approved': m.leader_audit_claim_approved,
  'claim.rejected': m.leader_audit_claim_rejected,
  'claim.changes_requested': m.leader_audit_claim_changes_requested,
  'claim.reversed': m.leader_audit_claim_reversed,
  'chat.connected': m.chats_audit_connected,
  'chat.disconnected': m.chats_audit_disconnected,
  'chat.gate_off': m.chats_audit_gate_off,
  'chat.gate_claim': m.chats_audit_gate_claim,
  'chat.gate_enter': m.chats_audit_gate_enter,
  'community.changed': m.leader_audit_community_changed,
  'export.members': m.leader_audit_export_members,
  'export.claims': m.leader_audit_export_claims,
  'export.history': m.leader_audit_export_history,
  'export.ledger': m.leader_audit_export_ledger,
  'export.waiting': m.import_audit_export_waiting,
  'export.tasks': m.import_audit_export_tasks,
  'import.people': m.import_audit_people,
  'import.tasks': m.import_audit_tasks,
  'import.undone': m.import_audit_undone,
  'member.made_leader': m.leader_audit_member_made_leader,
  'member.made_moderator': m.leader_audit_member_made_moderator,
  'member.made_member': m.leader_audit_member_made_member,
  'member.removed': m.leader_audit_member_removed,
  'points.adjusted': m.leader_audit_points_adjusted,
  'replies.changed': m.leader_audit_replies_changed,
  'reward.added': m.leader_audit_reward_added,
  'reward.changed': m.leader_audit_reward_changed,
  'reward.dropped': m.leader_audit_reward_dropped,
  'reward.drawn': m.leader_audit_reward_drawn,
  'season.planned': m.leader_audit_season_planned,
  'season.changed': m.leader_audit_season_changed,
  'season.dropped': m.leader_audit_season_dropped,
  'season.started': m.leader_audit_season_started,
  'season.ended': m.leader_audit_season_ended,
  'season.frozen': m.leader_audit_season_frozen,
  'task.created': m.leader_audit_task_created,
  'task.changed': m.leader_audit_task_changed,
  'task.published': m.leader_audit_task_published,
  'task.withdrawn': m.leader_audit_task_withdrawn,
  'task.archived': m.leader_audit_task_archived,
  'task.copied': m.leader_audit_task_copied,
  'task.granted': m.leader_audit_task_granted,
  'tasks.ordered': m.leader_audit_tasks_ordered,
  'task.secret_made': m.kinds_audit_secret,
  'quiz_pack.added': m.quiz_audit_added,
  'quiz_pack.changed': m.quiz_audit_changed,
  'quiz_pack.removed': m.quiz_audit_removed,
  'webhook.added': m.leader_audit_webhook_added,
  'webhook.changed': m.leader_audit_webhook_changed,
  'webhook.started': m.leader_audit_webhook_started,
  'webhook.stopped': m.leader_audit_webhook_stopped,
  'webhook.paused': m.leader_audit_webhook_paused,
  'webhook.removed': m.leader_audit_webhook_removed,
  'webhook.replayed': m.leader_audit_webhook_replayed,
};

/** Names of community settings by their code in the audit log, as the settings screen calls them. */
const SETTING_WORDS: Readonly<Record<string, () => string>> = {
  name: m.member_start_name,
  description: m.member_start_about,
  rules: m.leader_rules,
  tags: m.member_start_tags,
  languages: m.leader_languages,
  visibility: m.member_start_visibility,
  invite_threshold: m.leader_invite_threshold,
  embedding: m.share_embed_title,
  leagues_since: m.league_title,
};

/** An action in words; an unknown one, as from a newer server, by its code. */
export const auditWord = (action: string): string => AUDIT_WORDS[action]?.() ?? action;

/** The subject of an entry. For a changed community that is the list of changed settings. */
export const auditSubject = ({ action, subject }: Pick<AuditEntry, 'action' | 'subject'>): string | null =>
  action === 'community.changed' && subject !== null
    ? subject
        .split(', ')
        .map((code) => SETTING_WORDS[code]?.() ?? code)
        .join(', ')
    : subject;
