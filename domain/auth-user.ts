import type { LevelNames } from './group-level.ts';

/** The partner or the customer of the signed-in user. */
interface Organisation {
  id: number;
  name: string;
  email: string;
  end_point: string;
  phone: string;
  status: number;
  created_at: string;
  updated_at: string;
}

/** The signed-in user, as returned by the authentication routes. */
export interface AuthUser {
  id: string;
  uuid: string;
  display_name: string;
  username: string;
  email: string;
  level: number;
  user_level: number;
  /** Always null, because the server sends codes only by e-mail. */
  otp: null;
  email_notification: boolean;
  whatsapp_notification: boolean;
  sms_notification: boolean;
  apps_notification: boolean;
  varified: boolean;
  status: number;
  created_at: string;
  updated_at: string;
  tocsin_partner_id: number;
  tocsin_customer_id: number;
  reset_password: number;
  tocsin_partner_account: boolean;
  /** The chosen start page; null until the user has chosen one. */
  start_page: string | null;
  /** Language tag for formatting dates and numbers; empty to use the browser's language. */
  locale: string;
  tocsin_partner: Organisation;
  tocsin_customer: Organisation & LevelNames & { tocsin_partner_id: number; table_name: string; time_zone: string };
}
