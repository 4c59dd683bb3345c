-- Rankings of one query in one period, for result pages and insights.
create index keyword_rankings_query on keyword_rankings (account_id, time_period_start, search_engine_name, query);
