-- Why: a kind of message that there is not was answered with an empty list. What checks the way and the state of messages checks their
-- kind as well, and a function that takes one more is another function beside the old one.
drop function if exists tocsin_private.check_message(text, integer, text, text);
