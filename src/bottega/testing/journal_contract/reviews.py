"""What a `ReviewStore` promises."""

from __future__ import annotations

import pytest

from bottega.errors import InputError
from bottega.journal import Journal, now
from bottega.testing.journal_contract.factory import Contract


class ReviewContract(Contract):
    """Reviews are numbered through the day, and only complete ones are found."""

    def test_reviews_are_numbered_through_the_day(self, journal: Journal, second: Journal) -> None:
        day = now()[:10]
        reviews = [store.reviews.begin() for store in (journal, second, journal)]
        if now()[:10] != day:
            pytest.skip("midnight passed meanwhile")
        assert reviews == [f"{day}/001", f"{day}/002", f"{day}/003"]

    def test_a_review_is_complete_with_its_result(self, journal: Journal, second: Journal) -> None:
        journal.reviews.check()
        first, unfinished, last = (journal.reviews.begin() for _ in range(3))
        journal.reviews.write(unfinished, {"report.md": "half"})
        journal.reviews.write(last, {"result.json": "{}\n", "reviews/ada.md": "# Ada\n"})
        assert second.reviews.ids() == [last]
        journal.reviews.write(first, {"result.json": '{"id": 1}\n'})
        assert second.reviews.ids() == [first, last]
        assert second.reviews.read(first) == '{"id": 1}\n'
        assert second.reviews.read(last, "reviews/ada.md") == "# Ada\n"

    def test_a_text_that_is_written_again_is_replaced(self, journal: Journal) -> None:
        review = journal.reviews.begin()
        journal.reviews.write(review, {"result.json": "{}", "report.md": "old"})
        journal.reviews.write(review, {"report.md": "new"})
        assert (journal.reviews.read(review), journal.reviews.read(review, "report.md")) == ("{}", "new")

    def test_a_review_is_found_by_id_by_number_and_as_the_last(self, journal: Journal) -> None:
        first, second, unfinished = (journal.reviews.begin() for _ in range(3))
        for review in (first, second):
            journal.reviews.write(review, {"result.json": "{}"})
        names = (first, first[11:], str(int(first[11:])), "last", second)
        assert [journal.reviews.find(name) for name in names] == [first, first, first, second, second]
        for unknown in (unfinished, "", "999", "1999-01-01/001", "9" * 5000):
            with pytest.raises(InputError, match="there is no review") as caught:
                journal.reviews.find(unknown)
            assert caught.value.hint == "`bottega review list` names them."

    def test_the_last_of_no_reviews_is_refused(self, journal: Journal) -> None:
        with pytest.raises(InputError, match="there is no review 'last'") as caught:
            journal.reviews.find("last")
        assert caught.value.hint == "Nothing was reviewed here yet."

    def test_a_text_that_is_missing_is_refused(self, journal: Journal) -> None:
        review = journal.reviews.begin()
        with pytest.raises(InputError, match=rf"^review {review} has no change\.diff$"):
            journal.reviews.read(review, "change.diff")

    @pytest.mark.parametrize("name", ["", "last", "../../etc", "2026-01-01", "2026-01-01/001/../../x"])
    def test_what_is_no_id_is_refused(self, journal: Journal, name: str) -> None:
        with pytest.raises(InputError, match="cannot name a review"):
            journal.reviews.read(name)
        with pytest.raises(InputError, match="cannot name a review"):
            journal.reviews.write(name, {"result.json": "{}"})
