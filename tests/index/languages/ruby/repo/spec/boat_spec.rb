require "ferry"

def boat_for(day)
  Ferry::Boat.build(day)
end

describe Ferry::Boat do
  it "carries" do
    boat_for("mon").board(2)
    Ferry.open("mon").announce
  end
end
